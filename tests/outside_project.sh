#!/usr/bin/env bash
# Installs watchlab, looks at what that leaves, and builds docs/example-project with it, outside of the tree.
# What is installed: the libraries under their versions, the public headers and what those include, nothing
# else, and pages whose links lead there. What the page of the project promises: the planted mistake is found within a second, the printed line replays it, WATCHLAB_BREAK_AT stops
# it at a step (in gdb, too, where there is one), and the fixed queue holds. Exit 0 if all of that is so.
set -euo pipefail
root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
case_name=bounded_queue_test/all_that_is_pushed_is_popped

fail() {
  echo "outside project: $*" >&2
  [[ ! -f $place/out ]] || sed 's/^/  /' "$place/out" >&2
  exit 1
}

# What is installed, of all that is built.
"$root/dev" build release build.ninja >/dev/null || fail "watchlab cannot be configured"
mapfile -t targets < <(meson introspect --installed "$root/build/release" |
  grep -o "\"$root/build/release/[^\"]*\":" | sed "s|^\"$root/build/release/||; s|\":$||" |
  grep -v -e '^meson-' -e '^docs/')  # what configuring makes is no target
"$root/dev" build release "${targets[@]}" >/dev/null || fail "watchlab does not build"
DESTDIR=$place/installed meson install -C "$root/build/release" --no-rebuild --quiet >"$place/out" 2>&1 ||
  fail "watchlab cannot be installed"
modules=$(dirname "$(find "$place/installed" -name watchlab-kernel.pc)")
# What a package that is unpacked elsewhere does: the prefix is where it stands now.
sed -i "s|^prefix=|prefix=$place/installed|" "$modules"/watchlab-*.pc
export PKG_CONFIG_PATH=$modules LD_LIBRARY_PATH=${modules%/pkgconfig}

version=$(pkg-config --modversion watchlab-kernel)
"$(find "$place/installed" -path '*/bin/watchlab')" --version >"$place/out" 2>&1 || true
[[ $(<"$place/out") =~ ^"watchlab $version"( \([0-9a-f]{10}\))?$ ]] || fail "the program does not say that it is $version"
for library in kernel port world language client serve; do
  objdump -p "$LD_LIBRARY_PATH/libwatchlab-$library.so" >"$place/out"
  grep -q "SONAME *libwatchlab-$library.so.${version%.*}$" "$place/out" || fail "$library has no versioned soname"
done

# Each library, and the program that plays the first story, needs what its row names, and nothing else. What every one
# may need: the standard libraries, and fmt.
may_need() { # WHAT FILE PATTERN
  objdump -p "$2" | sed -n 's/^ *NEEDED *//p' >"$place/out"
  ! grep -vE "^(lib(c|m|dl|gcc_s|pthread|stdc\+\+|fmt|mimalloc|asan|ubsan|boost_context)|ld-linux[^.]*|$3)\.so" "$place/out" >"$place/more" ||
    fail "$1 is linked with what it must not need: $(paste -sd ' ' "$place/more")"
}
row() { may_need "$1" "$LD_LIBRARY_PATH/libwatchlab-$1.so" "$2"; }
on() { echo "libwatchlab-($1)|libboost_json"; }
row kernel none
row port "$(on kernel)"
row world "$(on 'kernel|port')"
row language "$(on 'kernel|port|world')|libyaml-cpp"
row client "$(on 'kernel|port')|libyaml-cpp|libssl|libcrypto"
row serve "$(on 'kernel|port|world|language|client')|libyaml-cpp|libssl|libcrypto|libz"
may_need watchlab "$(find "$place/installed" -path '*/bin/watchlab')" "$(on 'kernel|port|world|language')|libyaml-cpp"

# The shipped scenarios are played from anywhere.
(cd "$place" && env -u WATCHLAB_HOME "$(find "$place/installed" -path '*/bin/watchlab')" run missed_delete) >"$place/out" 2>&1 ||
  fail "what is installed plays no shipped scenario"

# Each link of a page leads to something that is installed, and one that does not is seen.
share=$(dirname "$(find "$place/installed" -type d -path '*/share/watchlab')")
"$root/docs/packaging/installed_links.py" "$share" --count >"$place/out" || fail "pages link to what is not installed"
echo '[x](not_there.md)' >"$share/doc/watchlab/more.md"
if "$root/docs/packaging/installed_links.py" "$share" --count >"$place/out"; then fail "a dead link is not seen"; fi

# Inside of another project: the libraries, without -Werror, tests and programs.
mkdir -p "$place/around/subprojects"
cp "$root"/docs/example-project/{meson.build,bounded_queue.hpp,bounded_queue_test.cpp} "$place/around"
ln -s "$root" "$place/around/subprojects/watchlab"
cp "$root/docs/packaging/watchlab.wrap" "$place/around/subprojects"
meson setup --wrap-mode=forcefallback "$place/around/build" "$place/around" >"$place/out" 2>&1 ||
  fail "watchlab is no subproject"
meson introspect --buildoptions "$place/around/build" >"$place/out"
grep -q '"name": "watchlab:werror", "value": false' "$place/out" || fail "a subproject is built with -Werror"
meson introspect --targets "$place/around/build" | grep -oE '"type": "(executable|shared library)"' | sort | uniq -c >"$place/out"
[[ $(awk '{ print $1 }' "$place/out" | paste -sd' ') == '1 6' ]] ||
  fail "a subproject is more than its six libraries, or less"

# One source with every public header reads all that is installed.
headers=$(find "$place/installed" -type d -path '*/include/watchlab')
"$root/tests/public_headers.sh" >"$place/public"
sed 's|.*|#include "&"|' "$place/public" >"$place/all.cpp"
# shellcheck disable=SC2046 # one word for each flag
g++ -std=c++20 -fsyntax-only -MD -MF "$place/read" "$place/all.cpp" \
  $(pkg-config --cflags watchlab-serve) >"$place/out" 2>&1 ||
  fail "public headers include what is not installed; add it to needed_headers in the meson.build of its module"
tr ' ' '\n' <"$place/read" | sed -n "s|^$headers/||p" | sort >"$place/wanted"
(cd "$headers" && find . -type f | sed 's|^\./||' | sort) >"$place/there"
if ! diff "$place/wanted" "$place/there" >"$place/out"; then
  fail "what is installed is not what public headers include"
fi
echo "outside project: $(wc -l <"$place/public") public headers include $(wc -l <"$place/there"), and these are installed"

cp -r "$root/docs/example-project" "$place/project"
cd "$place/project"
{ meson setup build && ninja -C build; } >"$place/out" 2>&1 || fail "the project does not build"
if grep -q "$root" build/compile_commands.json; then
  fail "the project was built with files of the tree, not with what is installed"
fi

objdump -p build/bounded_queue_test >"$place/out"
grep -q "NEEDED *libwatchlab-kernel.so.${version%.*}$" "$place/out" || fail "the project needs no library with a version"

started=${EPOCHREALTIME/./}
if build/bounded_queue_test >"$place/out" 2>&1; then
  fail "the planted mistake was not found"
fi
took=$(((${EPOCHREALTIME/./} - started) / 1000))
grep -q "deadlock" "$place/out" || fail "the report does not speak of a deadlock"
grep -q "perhaps a lost wake-up" "$place/out" || fail "the report does not suspect a lost wake-up"
grep -q "What makes the difference:" "$place/out" || fail "the report does not name the two steps"
line=$(grep -o "WATCHLAB_SCHEDULE=.*--run_test=$case_name" "$place/out") || fail "no line replays it"
schedule=${line%% *}
echo "outside project: found in $took ms; $line"

replay() { env "$schedule" "$@" build/bounded_queue_test --run_test=$case_name >"$place/out" 2>&1; }
if replay; then
  fail "the line does not replay the failure"
fi
grep -q "deadlock" "$place/out" || fail "the replay fails in another way"

status=0
replay WATCHLAB_BREAK_AT=7 || status=$?
((status == 128 + 5)) || fail "WATCHLAB_BREAK_AT raises no SIGTRAP: status $status"
grep -q "^watchlab: before step 7, main" "$place/out" || fail "the step is not named"
if command -v gdb >/dev/null; then
  env "$schedule" WATCHLAB_BREAK_AT=22 gdb -q -batch -ex run -ex backtrace --args \
    build/bounded_queue_test --run_test=$case_name >"$place/out" 2>&1 </dev/null || true
  grep -q "SIGTRAP" "$place/out" || fail "gdb does not stop"
  grep -q "bounded_queue.hpp:" "$place/out" || fail "gdb does not see the task's own frames"
else
  echo "outside project: no gdb here; that it stops in gdb was not tried"
fi

sed -i 's/notify_one/notify_all/' bounded_queue.hpp
ninja -C build >"$place/out" 2>&1 || fail "the fixed project does not build"
build/bounded_queue_test >"$place/out" 2>&1 || fail "the fixed queue does not hold"
echo "outside project: the fixed queue holds"
