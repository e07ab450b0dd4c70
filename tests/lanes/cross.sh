#!/usr/bin/env bash
# cross [TARGET…] [--long]      builds the engine with Clang and libc++, for this system and others
#
# The engine is what `watchlab run` needs: the libraries kernel, port, world and language. Debian's C++ libraries are built
# for libstdc++; so fmt and Boost are used as headers, and yaml-cpp is built from Debian's source. Targets:
#
#   libc++          this system, with clang++-16; plays all stories, and their digests must be those of build/release
#   aarch64-linux   compiled by the PyPI package ziglang; the same by qemu-user
#   aarch64-macos   compiled and linked by ziglang, not run
#   x86_64-windows  the same
#   arm64-tests     the tests of core, sim and scenarios for arm64 Linux, by GCC and qemu-user; half an hour
#
# The default is libc++, with --long all. Each takes four to five minutes of processor. What no registry answers for is
# skipped with a line.
#
# Examples:
#   ./dev cross
#   ./dev cross aarch64-linux
#
# Exit: 0 all held or was skipped, 1 something failed, 2 bad usage.
: "${root:?a lane is run by ./dev}"

all=(libc++ aarch64-linux aarch64-macos x86_64-windows arm64-tests)
targets=()
for word in "$@"; do
  case $word in
    --long) targets=("${all[@]}") ;;
    *)
      [[ " ${all[*]} " == *" $word "* ]] || refuse "cross: expected one of ${all[*]} or --long, not '$word'"
      targets+=("$word")
      ;;
  esac
done
((${#targets[@]})) || targets=(libc++)
need product
place=$root/build/cross
libraries=$place/libraries
mkdir -p "$libraries"
passed=0
failed=0

skip() {
  echo "cross: $target: skipped, $*"
  return 1
}

# Fetches the source of package $1 of Debian into the current folder, by lists of its own: most systems have none of sources.
fetch_source() {
  local options site
  # shellcheck disable=SC2016 # apt knows what SITE is
  site=$(apt-get indextargets --format '$(SITE) $(RELEASE)' 'Created-By: Packages' 'Label: Debian' 2>/dev/null | head -n 1)
  [[ $site ]] || return 1
  mkdir -p lists/partial
  echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${site% *} ${site#* } main" >sources.list
  options=(-o Dir::Etc::SourceList="$PWD/sources.list" -o Dir::Etc::SourceParts=/dev/null -o Dir::State::Lists="$PWD/lists"
    -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o APT::Sandbox::User=root -o Acquire::Retries=0)
  [[ -e lists/fetched ]] || { apt-get "${options[@]}" update -q && touch lists/fetched; } || return 1
  apt-get "${options[@]}" source --download-only "$1"
}

# Lays out folder $1 of the libraries once: archive of package $2 from its folder $3 on, which is $4 folders deep.
lay_out() {
  [[ ! -e $libraries/$1 ]] || return 0
  rm -rf "$libraries/new"
  mkdir "$libraries/new"
  (cd "$place" && fetch_source "$2" && tar -C "$libraries/new" --strip-components="$4" --wildcards -xf "$2"_*.orig.tar.* "*/$3") >"$place/fetch.log" 2>&1 ||
    { skip "the source of $2 is not to be had: $(tail -n 1 "$place/fetch.log")"; return 1; }
  mv "$libraries/new" "$libraries/$1"
}

# Prints the package of Boost's headers, whose source has the same version.
boost_source() { dpkg-query -W -f '${db:Status-Status} ${source:Package}\n' 'libboost*-dev' | sed -n 's/^installed \(boost1\)/\1/p' | head -n 1; }

# Puts into $compiler what compiles for target $1.
find_compiler() {
  if [[ $1 == libc++ ]]; then
    (need libcxx) || { skip "its packages are not installed"; return 1; }
    compiler=(clang++-16 -stdlib=libc++)
    return
  fi
  if [[ ! -x $place/venv/bin/python ]]; then
    python3 -m venv "$place/venv" >"$place/venv.log" 2>&1 || { skip "python3 makes no virtual environment"; return 1; }
  fi
  "$place/venv/bin/pip" install -q ziglang==0.17.1 >"$place/venv.log" 2>&1 || { skip "pip installs no ziglang"; return 1; }
  compiler=("$place/venv/bin/python" -m ziglang c++ -fno-sanitize=undefined -target "${1/windows/windows-gnu}")
}

plays() { # RUNNER…: whether the engine of $target plays each story to the digest that this build has
  (cd "$root" && "$@" "$place/$target/engine" scenarios) >"$place/$target/digests" || return 1
  # shellcheck disable=SC2154 # launcher.sh says where the program is
  (cd "$root" && env -u WATCHLAB_ALLOW_RUN "build/release/$program" digest scenarios 2>"$place/digest.log") >"$place/digests" || true
  diff "$place/digests" "$place/$target/digests" && [[ $(wc -l <"$place/digests") -gt 100 ]]
}

try_target() {
  local what=linked log=$place/$1.log runner=()
  find_compiler "$1" && lay_out yaml-cpp yaml-cpp '*' 1 || return 0
  [[ $1 == libc++ ]] || lay_out context "$(boost_source)" 'libs/context/src/asm/*' 5 || return 0
  mkdir -p "$libraries/include"
  ln -sfn /usr/include/boost "$libraries/include/boost"
  ln -sfn /usr/include/fmt "$libraries/include/fmt"
  python3 "$root/tests/packaging/cross.py" "$root" "$1" "$libraries" "${compiler[@]}"
  if ! ninja -C "$place/$1" -k 0 ${WATCHLAB_JOBS:+-j "$WATCHLAB_JOBS"} >"$log" 2>&1; then
    failed=$((failed + 1))
    echo "FAIL  $1: the engine is not built; the log is build/cross/$1.log"
    grep -E 'error:|undefined (reference|symbol)' "$log" | head -n 20
    return
  fi
  case $1 in
    libc++) runner=(env) ;;
    aarch64-linux) (need arm64) || true; runner=(qemu-aarch64-static) ;;
  esac
  if ((${#runner[@]})) && command -v "${runner[0]}" >/dev/null; then
    plays "${runner[@]}" >"$log" 2>&1 ||
      { failed=$((failed + 1)); echo "FAIL  $1: digests are not those of this build"; tail -n 20 "$log"; return; }
    what="plays $(wc -l <"$place/digests") stories to the same digests"
  fi
  passed=$((passed + 1))
  echo "held  $1: the engine is built, and $what"
}

build release "$program" || exit 1
for target in "${targets[@]}"; do
  if [[ $target == arm64-tests ]]; then
    "$root/tests/packaging/arm64_tests.sh" "$place/arm64" || failed=$((failed + 1))
  else
    try_target "$target"
  fi
done
echo "$passed passed, $failed failed"
((failed == 0))
