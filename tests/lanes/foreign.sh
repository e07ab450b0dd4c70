#!/usr/bin/env bash
# foreign [--from FOLDER]       explores third-party libraries that only use the standard library
#
# libreaderwriterqueue-dev, libconcurrentqueue-dev, libthread-pool-dev and the blocking queue of libspdlog-dev are
# compiled unmodified, with GCC and Clang, against the classes of sim/std; so are the three classes and the program of
# docs/library.md. No bug may be found in them. With a bug planted into a copy of each, it must be found, shrunk and
# explained. On threads they run under ThreadSanitizer. docs/example-project is compiled with both too, and its bug found.
#
#   --from FOLDER   also explores SPSCQueue.h and MPMCQueue.h of rigtorp, which Debian does not package, from somewhere
#                   below FOLDER
#
# Examples:
#   ./dev foreign
#   ./dev foreign --from ~/src/rigtorp
#
# Exit: 0 all as expected, 1 something was not, 2 bad usage.
: "${root:?a lane is run by ./dev}"

from=''
while (($#)); do
  case $1 in
    --from) (($# > 1)) || refuse "foreign: --from wants a folder" && from=$2 && shift ;;
    *) refuse "foreign: there is no $1; see ./dev foreign --help" ;;
  esac
  shift
done
need product
need clang
need foreign
build release libwatchlab-kernel.so.0.2 tests/sim/std/sim-std || exit 1

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/installed" "$folder/planted"
headers=(/usr/include/readerwriterqueue/{readerwriterqueue,atomicops}.h
  /usr/include/concurrentqueue/concurrentqueue.h /usr/include/thread_pool/thread_pool.hpp)
spdlog=/usr/include/spdlog/details
mkdir -p "$folder"/{installed,planted}/{spdlog/details,rigtorp}
for copy in installed planted; do
  cp "${headers[@]}" "$folder/$copy" && cp "$spdlog"/{mpmc_blocking_q,circular_q}.h "$folder/$copy/spdlog/details" || exit 1
done
changed=({thread_pool.hpp,concurrentqueue.h,readerwriterqueue.h,spdlog/details/mpmc_blocking_q.h})
if [[ -n $from ]]; then
  for queue in SPSCQueue MPMCQueue; do
    header=$(find "$from" -name "$queue.h" -print -quit)
    [[ -n $header ]] || refuse "foreign: there is no $queue.h below $from"
    cp "$header" "$folder/installed/rigtorp" && cp "$header" "$folder/planted/rigtorp" || exit 1
    changed+=("rigtorp/$queue.h")
  done
fi
# Each mistake: the line that it is made in is the one before or after the one that is looked for.
sed -i '/new (location) T(std::forward<U>(element));/,/tailBlock_->tail = /{/fence(memory_order_release);/d}' \
  "$folder/planted/readerwriterqueue.h"
sed -i '/new ((\*this->tailBlock)/,/return true/s/tailIndex.store(newTailIndex, std::memory_order_release)/tailIndex.store(newTailIndex, std::memory_order_relaxed)/' \
  "$folder/planted/concurrentqueue.h"
sed -i '/void Done()/,/is_done = true/{/unique_lock/d}' "$folder/planted/thread_pool.hpp"
sed -i '/pop_cv_.notify_one()/d' "$folder/planted/spdlog/details/mpmc_blocking_q.h"
if [[ -n $from ]]; then
  sed -i 's/writeIdx_.store(nextWriteIdx, std::memory_order_release)/writeIdx_.store(nextWriteIdx, std::memory_order_relaxed)/' \
    "$folder/planted/rigtorp/SPSCQueue.h"
  sed -i 's/slot.turn.store(turn(head) \* 2 + 1, std::memory_order_release)/slot.turn.store(turn(head) * 2 + 1, std::memory_order_relaxed)/' \
    "$folder/planted/rigtorp/MPMCQueue.h"
fi

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
libraries=("-L$root/build/release" "-Wl,-rpath,$root/build/release" -l:libwatchlab-kernel.so.0.2)
compile() { # COMPILER FOLDER PROGRAM SOURCE…: against the headers of that folder
  "$1" -std=c++20 -O1 -g -w -DBOOST_TEST_DYN_LINK -I"$2" -I"$root" -I"$root/build/release" "${@:4}" "${libraries[@]}" -lfmt -lboost_context \
    -lboost_unit_test_framework -o "$3"
}
# The program of docs/library.md, and a class as it stands for: the end is announced, and no reader woken.
mkdir -p "$folder/page/wild"
# shellcheck disable=SC2016 # it is Markdown; its first listing is the program
sed -n '/^```cpp$/,/^```$/{/^```$/q;/^```/d;p}' "$root/docs/library.md" >"$folder/page/mailbox_test.cpp"
cat >"$folder/page/wild/mailbox.hpp" <<'HEADER'
#include <atomic>
#include <condition_variable>
#include <mutex>
namespace wild {
class Mailbox {
 public:
  void take() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return closed_.load(); });
  }
  void close() {
    closed_ = true;  // without the lock: between the look of a reader and its wait
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<bool> closed_ = false;
};
}  // namespace wild
HEADER
ln -s "$root/sim" "$folder/page/watchlab"  # as it is installed
page_explains() {
  "$1" >"$folder/said"
  cat "$folder/said"
  grep -q 'What makes the difference' "$folder/said"
}
# Of docs/example-project the first case fails, and the second holds.
example_explains() {
  "$1" >"$folder/said" 2>&1
  cat "$folder/said"
  grep -q 'deadlock' "$folder/said" && grep -q 'WATCHLAB_SCHEDULE=w1:' "$folder/said" &&
    grep -q "1 failure is detected" "$folder/said"
}

for header in "${changed[@]}"; do
  ! cmp -s "$folder/installed/$header" "$folder/planted/$header" ||
    refuse "foreign: $header has changed where a mistake is planted"
done
for planted in installed planted; do
  wanted=$([[ $planted == planted ]] && echo found || echo held)
  for compiler in g++ clang++-16; do
    check "$compiler, $planted: compiled" \
      compile $compiler "$folder/$planted" "$folder/$planted-$compiler" "$root/tests/sim/std/foreign.cpp"
    check "$compiler, $planted: $wanted" "$folder/$planted-$compiler" "$wanted"
  done
done
wild=("$root"/tests/{main,sim/std/wild_classes_test}.cpp)
for compiler in g++ clang++-16; do
  check "$compiler, three classes: compiled" compile $compiler "$folder" "$folder/wild-$compiler" "${wild[@]}"
  check "$compiler, three classes: held, and a mistake in each found" "$folder/wild-$compiler"
  check "$compiler, the program of docs/library.md: compiled" \
    compile $compiler "$folder/page" "$folder/page-$compiler" "$folder/page/mailbox_test.cpp"
  check "$compiler, the program of docs/library.md: found and explained" page_explains "$folder/page-$compiler"
  check "$compiler, docs/example-project: compiled" \
    compile $compiler "$folder" "$folder/example-$compiler" "$root/docs/example-project/bounded_queue_test.cpp"
  check "$compiler, docs/example-project: found, made short and explained" example_explains "$folder/example-$compiler"
done
sanitized=(-fsanitize=thread "$root"/sim/std/*.cpp)
check "ThreadSanitizer: compiled" \
  compile clang++-16 "$folder/installed" "$folder/tsan" "${sanitized[@]}" "$root/tests/sim/std/foreign.cpp"
check "ThreadSanitizer: libraries on threads" "$folder/tsan" outside
check "ThreadSanitizer, three classes: compiled" \
  compile clang++-16 "$folder" "$folder/tsan-wild" "${sanitized[@]}" "${wild[@]}"
check "ThreadSanitizer: three classes on threads" "$folder/tsan-wild" --run_test=wild_classes_test/outside_of_a_world_they_run_on_threads
echo "$passed passed, $failed failed"
((failed == 0))
