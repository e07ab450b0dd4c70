#!/usr/bin/env bash
# bare [SUITE…] [--long] [--test]   builds from source and plays all stories in a bare Debian 13
#
# debootstrap makes a root for each SUITE (bookworm, trixie, testing; trixie by default) in build/bare. In it the lane runs
# `./watchlab doctor`, as a new user would. Without network, without root, in a read-only checkout, without a library and
# with a compiler that is too old, the launcher must say in one sentence what to do. It installs its packages, builds the
# product and plays all stories. If there is a build/release here, the digests must be the same. To be quick, the product is
# built without optimization.
#
#   --long     builds with optimization, as users do (two minutes more for each suite), and adds Debian testing if no
#              SUITE is named
#   --test     then runs `./watchlab test`, the second command of README.md, which takes several times as long; builds as --long
#
# The lane prints after how many seconds the first line appeared and the first story was played, not counting packages. If
# debootstrap cannot make a root (no root, no network, no such program), the lane says so and skips the rest.
#
# Examples:
#   ./dev bare
#   ./dev bare testing
#
# Exit: 0 all held or was skipped, 1 something failed, 2 bad usage.
: "${root:?a lane is run by ./dev}"

suites=()
long='' test=''
for word in "$@"; do
  case $word in
    --long) long=yes ;;
    --test) test=yes ;;
    bookworm | trixie | testing) suites+=("$word") ;;
    *) refuse "bare: expected bookworm, trixie, testing, --long or --test, not '$word'" ;;
  esac
done
((${#suites[@]})) || suites=(trixie ${long:+testing})
long=$long$test

what=bare
# shellcheck source=tests/packaging/bare_root.sh
source "$root/tests/packaging/bare_root.sh"
launcher=/srv/watchlab/watchlab
nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups)

# Whether command $2… ends with status 2 and one sentence, which has $1.
refuses() {
  local has=$1 status=0
  there "${@:2}" >"$place/said" 2>&1 || status=$?
  cat "$place/said"
  ((status == 2)) && [[ $(grep -vcE ': (installing|configuring) ' "$place/said") == 1 ]] && grep -qF "$has" "$place/said"
}

doctor_names() {
  local status=0
  there $launcher doctor >"$place/said" 2>&1 || status=$?
  cat "$place/said"
  ((status == 1)) && tail -n 1 "$place/said" | grep -qE "to install them: .*apt-get install .* $1 "
}

# Makes a compiler in the copy that says it is older than it is.
make_older_compiler() {
  local compiler=$here/srv/older-g++
  # shellcheck disable=SC2016 # the words are those of the script
  printf '%s\n' '#!/bin/sh' 'for word; do [ "$word" != --version ] || { echo "g++ (Debian 11.4.0-1) 11.4.0, Free Software Foundation"; exit; }; done' \
    'for word; do [ "$word" != -dM ] || { g++ "$@" | sed "s/\(__GNUC__\) .*/\1 11/"; exit; }; done' 'exec g++ "$@"' >"$compiler"
  chmod +x "$compiler"
}

digests_agree() {
  # shellcheck disable=SC2154 # launcher.sh says where the program is
  there sh -c "cd /srv/watchlab && build/release/$program digest scenarios" >"$place/digests.there" &&
    (cd "$root" && "build/release/$program" digest scenarios) >"$place/digests.here" &&
    diff "$place/digests.here" "$place/digests.there" && echo "$(wc -l <"$place/digests.here") digests"
}

# Passes lines of the launcher on, and puts into file $place/times after how many seconds the first came, and the first story.
clock() {
  local started=${EPOCHREALTIME/./} line first='' story=''
  while IFS= read -r line; do
    : "${first:=${EPOCHREALTIME/./}}"
    [[ $line != held* ]] || : "${story:=${EPOCHREALTIME/./}}"
    printf '%s\n' "$line"
  done
  echo "first output after $(((first - started) / 1000)) ms${story:+, first story after $(((story - started) / 1000000)) s}" >"$place/times"
}

# Builds the product and plays all stories, as a new user would; how it is configured is all that --long changes.
plays_stories() {
  local quickly='' TIMEFORMAT='%U s of processor'
  # shellcheck disable=SC2016 # the words are those of the bash that is called
  [[ $long ]] || quickly='configure() { say "configuring build/$1"; CXX=g++ meson setup -Doptimization=0 -Dtests=disabled "$root/build/$1" "$root"; }'
  { time { with_launcher "$quickly
    build release \$program" && there $launcher run scenarios; } 2>&1; } 2>"$place/processor" | clock
  return "${PIPESTATUS[0]}"
}

try_suite() {
  local boost=libboost-dev
  [[ $1 != bookworm ]] || boost=libboost1.81-dev
  fresh_copy "$1"
  copy_checkout
  wants "$1: doctor names its packages" doctor_names "$boost"
  wants "a user is told what to install" refuses "to install them: sudo apt-get" "${nobody[@]}" $launcher run missed_delete
  wants "it is said that there is no network" refuses "apt reaches no network" unshare --net $launcher run missed_delete
  wants "packages are installed" with_launcher 'need product'
  wants "it is said that the checkout is read-only" refuses "cannot write to /srv/watchlab" unshare --mount --propagation unchanged sh -c \
    "mount --bind /srv/watchlab /srv/watchlab && mount -o remount,bind,ro /srv/watchlab && exec $launcher run missed_delete"
  there dpkg --force-depends --remove libyaml-cpp-dev >"$place/log.txt" 2>&1
  wants "it is said which library is missing" refuses "is installed by: apt-get install -y --no-install-recommends libyaml-cpp-dev" \
    $launcher run missed_delete
  wants "that line installs it" there apt-get install -y --no-install-recommends libyaml-cpp-dev
  make_older_compiler
  wants "it is said that the compiler is too old" refuses "needs GCC 12 or Clang 16" env CXX=/srv/older-g++ $launcher run missed_delete
  wants "the product is built, and all stories hold" plays_stories
  printf '%s: %s; %s\n' "$1" "$(tail -n 1 "$place/log.txt")" "$(<"$place/times"), $(<"$place/processor")"
  [[ ! $test ]] || wants "all tests pass" there $launcher test
  [[ ! -f $root/build/release/.root ]] || wants "digests are those of this machine" digests_agree
}

((EUID)) || (need bare) 2>/dev/null || true  # without debootstrap all is skipped
[[ ! -f $root/build/release/.root ]] || build release "$program" || exit 1
trap clear_up EXIT
for suite in "${suites[@]}"; do
  make_root "$suite"
  try_suite "$suite"
done
echo "$passed passed, $failed failed"
((failed == 0))
