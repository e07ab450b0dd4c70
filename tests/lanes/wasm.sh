#!/usr/bin/env bash
# wasm [--long]                 builds the command line as WebAssembly in a bare Debian 13, and compares it with the program
#
# debootstrap makes a root in build/bare, once; in it Emscripten and headers are installed (2.5 GB) and yaml-cpp comes from
# Debian's source. The module is compiled there, which takes half an hour of processor the first time, and laid out in
# build/wasm: watchlab.mjs, which a Worker and Node import, watchlab-module.mjs, watchlab.wasm and stories.json. The lane
# prints their sizes. Then Node plays what the program of this tree plays, and both must print the same: the digests of all
# stories, and run, explore, shrink, explain, report, trace and branch of some. A Node that cannot suspend WebAssembly
# (JSPI) is replaced by one from npm.
#
#   --long     compares all stories and museum pieces
#
# Without root, network or debootstrap the lane says so and skips the rest.
#
# Examples:
#   ./dev wasm
#
# Exit: 0 all held or was skipped, 1 something differs or is not built, 2 bad usage.
: "${root:?a lane is run by ./dev}"

long=''
for word in "$@"; do
  case $word in
    --long) long=--long ;;
    *) refuse "wasm: expected --long, not '$word'" ;;
  esac
done

what=wasm
# shellcheck source=tests/packaging/bare_root.sh
source "$root/tests/packaging/bare_root.sh"
here=$place/wasm
out=$root/build/wasm

# Makes the root with its packages and libraries, where it is not there yet.
make_workshop() {
  [[ -e $here/srv/libraries/done ]] && return
  [[ -e $here/etc/debian_version ]] || fresh_copy trixie
  copy_checkout
  with_launcher 'need wasm' || return
  # shellcheck disable=SC2016 # the words are those of the bash that is called
  there bash -euc 'mkdir -p /srv/libraries/include /srv/libraries/yaml-cpp
    sed "s/^deb /deb-src /" /etc/apt/sources.list >/etc/apt/sources.list.d/sources.list
    apt-get update -q
    cd /srv
    apt-get source --download-only yaml-cpp
    tar -C libraries/yaml-cpp --strip-components=1 -xf yaml-cpp_*.orig.tar.*
    for each in boost fmt CLI protozero; do ln -sfn /usr/include/$each libraries/include/$each; done
    echo "#include <boost/json/src.hpp>" >libraries/boost_json.cpp
    touch libraries/done'
}

builds_module() {
  copy_checkout
  there bash -euc "cd /srv/watchlab
    [[ -e build/wasm/build.ninja ]] || meson setup build/wasm --cross-file scenarios/wasm/emscripten.ini -Dwerror=true
    ninja -C build/wasm ${WATCHLAB_JOBS:+-j $WATCHLAB_JOBS} scenarios/wasm/watchlab-module.mjs scenarios/wasm/stories.json"
  local status=$?
  ((status == 0)) || return $status
  mkdir -p "$out"
  cp "$here/srv/watchlab/build/wasm/scenarios/wasm/"{watchlab-module.mjs,stories.json} "$root/scenarios/wasm/watchlab.mjs" "$out/"
  cp "$here/srv/watchlab/build/wasm/scenarios/wasm/watchlab-module.wasm" "$out/watchlab.wasm"
}

# Puts into $node one that can suspend WebAssembly.
find_node() {
  local can='process.exit(WebAssembly.Suspending ? 0 : 1)' system
  node=node
  ! node -e "$can" 2>/dev/null || return 0
  node=$out/node/bin/node
  [[ ! -x $node ]] || return 0
  case $(uname -m) in
    x86_64) system=x64 ;;
    aarch64) system=arm64 ;;
    *) return 1 ;;
  esac
  mkdir -p "$out/npm"
  (cd "$out/npm" && npm install --no-save --no-audit --no-fund "node-linux-$system@26") >"$place/log.txt" 2>&1 &&
    ln -sfn "npm/node_modules/node-linux-$system" "$out/node" && "$node" -e "$can"
}

make_root trixie
wants "Emscripten and libraries are laid out" make_workshop
((failed == 0)) || exit 1
wants "the module is built" builds_module
((failed == 0)) || exit 1
for file in "$out"/{watchlab.wasm,watchlab-module.mjs,watchlab.mjs,stories.json}; do
  printf '%-20s %9d bytes, %8d as brotli\n' "${file##*/}" "$(stat -c %s "$file")" "$(there brotli -c -q 11 - <"$file" | wc -c)"
done
find_node || skip "npm has no Node that can suspend WebAssembly: $(tail -n 1 "$place/log.txt")"
# shellcheck disable=SC2154 # launcher.sh says where the program is
build release "$program" || exit 1
"$node" "$root/tests/packaging/wasm_agreement.mjs" "$out" "$root/build/release/$program" "$root" ${long:+"$long"} || failed=$((failed + 1))
echo "$passed passed, $failed failed"
((failed == 0))
