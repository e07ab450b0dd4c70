#!/usr/bin/env bash
# wasm [--long] [--variants W]…   builds the command line as WebAssembly, and compares it with the program
#
# debootstrap makes a root in build/bare, once; in it Emscripten and headers are installed (2.5 GB) and yaml-cpp comes from
# Debian's source. The module is compiled there, which takes ten minutes of processor the first time, and laid out in
# build/wasm: watchlab.mjs, which a Worker and Node import, watchlab-module.mjs, watchlab.wasm and stories.json, and the
# same of the course, whose exercises without a compiler course.json has. The lane prints their sizes. Then Node plays
# what the program of this tree plays, and both must print the same: the digests of all stories, and run, explore, shrink,
# explain, report, trace and branch of some. The course is used as a student does. A Node that cannot suspend WebAssembly
# (JSPI) is replaced by one from npm.
#
#   --long       compares all stories and museum pieces
#   --variants W also builds modules with a bug in core: W is a piece of the museum, `levels` for those of break-it,
#                `course` for the broken builds of exercises, or `museum` for all pieces; each takes some seconds
#
# Without root, network or debootstrap the lane says so and skips the rest.
#
# Examples:
#   ./dev wasm
#   ./dev wasm --variants levels --variants course
#
# Exit: 0 all held or was skipped, 1 something differs or is not built, 2 bad usage.
: "${root:?a lane is run by ./dev}"

long=''
variants=()
while (($#)); do
  case $1 in
    --long) long=--long ;;
    --variants)
      (($# > 1)) || refuse "wasm: --variants takes a piece of the museum, or levels, course or museum"
      variants+=("$2")
      shift
      ;;
    *) refuse "wasm: expected --long or --variants W, not '$1'" ;;
  esac
  shift
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
    ninja -C build/wasm ${WATCHLAB_JOBS:+-j $WATCHLAB_JOBS} scenarios/wasm/watchlab{,-course}-module.mjs scenarios/wasm/{stories,course}.json"
  local status=$?
  ((status == 0)) || return $status
  mkdir -p "$out"
  local made=$here/srv/watchlab/build/wasm/scenarios/wasm
  cp "$made/"{watchlab-module.mjs,watchlab-course-module.mjs,stories.json,course.json} "$root/scenarios/wasm/watchlab.mjs" "$out/"
  cp "$made/watchlab-module.wasm" "$out/watchlab.wasm"
  cp "$made/watchlab-course-module.wasm" "$out/watchlab-course.wasm"
}

# Builds those that $variants names, and brings all that are of this module.
builds_variants() {
  [[ ${#variants[@]} == 0 ]] || there ninja -C /srv/watchlab/build/wasm scenarios/wasm/watchlab-plain-module.mjs || return
  there bash -euc 'cd /srv/watchlab; scenarios/wasm/variants.py build/wasm build/wasm/variants "$@"' variants "${variants[@]}" || return
  rm -rf "$out/variants"
  (cd "$here/srv/watchlab/build/wasm" && find variants -name built -prune -o -type f -print0 | tar -cf - --null -T -) |
    tar -C "$out" --no-same-owner -xf -
  mv "$out/variants/variants.json" "$out/"
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
wants "the variants are built" builds_variants
((failed == 0)) || exit 1
[[ ${#variants[@]} == 0 ]] || cat "$place/log.txt"
for file in "$out"/{watchlab.wasm,watchlab-module.mjs,watchlab.mjs,stories.json,watchlab-course.wasm,watchlab-course-module.mjs,course.json}; do
  printf '%-20s %9d bytes, %8d as brotli\n' "${file##*/}" "$(stat -c %s "$file")" "$(there brotli -c -q 11 - <"$file" | wc -c)"
done
find_node || skip "npm has no Node that can suspend WebAssembly: $(tail -n 1 "$place/log.txt")"
# shellcheck disable=SC2154 # launcher.sh says where the program is
build release "$program" || exit 1
"$node" "$root/tests/packaging/wasm_agreement.mjs" "$out" "$root/build/release/$program" "$root" ${long:+"$long"} || failed=$((failed + 1))
"$node" "$root/tests/packaging/wasm_course.mjs" "$out" "$root" || failed=$((failed + 1))
echo "$passed passed, $failed failed"
((failed == 0))
