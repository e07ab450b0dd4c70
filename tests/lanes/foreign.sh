#!/usr/bin/env bash
# foreign                       explores three libraries of Debian that know the standard library only
#
# libreaderwriterqueue-dev, libconcurrentqueue-dev and libthread-pool-dev are compiled as they are installed,
# with GCC and Clang, against the classes of sim/std. Nothing may be found in them; with a mistake planted into a
# copy of each, it has to be found, made short and explained. On threads they run under ThreadSanitizer. docs/std.md.
#
# Examples:
#   ./watchlab foreign
#
# Exit: 0 all came to what it should, 1 something did not, 2 the call was wrong.
: "${root:?a lane is run by ./watchlab}"

(($# == 0)) || refuse "foreign: takes nothing; see ./watchlab foreign --help"
need product
need clang
need foreign
build release sim/libwatchlab-sim.so.0.1 || exit 1

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/installed" "$folder/planted"
installed=(/usr/include/readerwriterqueue/{readerwriterqueue,atomicops}.h
  /usr/include/concurrentqueue/concurrentqueue.h /usr/include/thread_pool/thread_pool.hpp)
cp "${installed[@]}" "$folder/installed" && cp "${installed[@]}" "$folder/planted" || exit 1
# Each mistake: the line that it is made in is the one before or after the one that is looked for.
sed -i '/new (location) T(std::forward<U>(element));/,/tailBlock_->tail = /{/fence(memory_order_release);/d}' \
  "$folder/planted/readerwriterqueue.h"
sed -i '/new ((\*this->tailBlock)/,/return true/s/tailIndex.store(newTailIndex, std::memory_order_release)/tailIndex.store(newTailIndex, std::memory_order_relaxed)/' \
  "$folder/planted/concurrentqueue.h"
sed -i '/void Done()/,/is_done = true/{/unique_lock/d}' "$folder/planted/thread_pool.hpp"

passed=0
failed=0
# check NAME COMMAND…
check() {
  echo "== $1"
  if "${@:2}"; then passed=$((passed + 1)); else
    failed=$((failed + 1))
    echo "foreign: $1 did not come to what it should"
  fi
}
libraries=()
for library in sim core; do
  libraries+=("-L$root/build/release/$library" "-Wl,-rpath,$root/build/release/$library"
    "-l:libwatchlab-$library.so.0.1")
done
compile() {
  "$1" -std=c++20 -O1 -g -w -I"$2" -I"$root" "${@:4}" "$root/tests/sim/std/foreign.cpp" "${libraries[@]}" -lfmt -o "$3"
}
for planted in installed planted; do
  if cmp -s "$folder/installed/thread_pool.hpp" "$folder/planted/thread_pool.hpp" ||
    cmp -s "$folder/installed/concurrentqueue.h" "$folder/planted/concurrentqueue.h" ||
    cmp -s "$folder/installed/readerwriterqueue.h" "$folder/planted/readerwriterqueue.h"; then
    refuse "foreign: a library has changed where a mistake is planted"
  fi
  wanted=$([[ $planted == planted ]] && echo found || echo held)
  check "g++, $planted: compiled" compile g++ "$folder/$planted" "$folder/$planted-gcc"
  check "g++, $planted: $wanted" "$folder/$planted-gcc" "$wanted"
done
check "clang++, installed: compiled" compile clang++-16 "$folder/installed" "$folder/installed-clang"
check "clang++, installed: held" "$folder/installed-clang" held
check "ThreadSanitizer: compiled" compile clang++-16 "$folder/installed" "$folder/tsan" -fsanitize=thread "$root"/sim/std/*.cpp
check "ThreadSanitizer: on threads" "$folder/tsan" outside
echo "$passed passed, $failed failed"
((failed == 0))
