#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/runtime/atomic.hpp"
#include "core/runtime/channel.hpp"
#include "core/runtime/ensure.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/task.hpp"
#include "sim/explore/explore.hpp"
#include "sim/explore/shrink.hpp"
#include "tests/benchmarks/benchmark.hpp"
#include "tests/sim/explore/planted.hpp"

namespace watchlab::benchmarks {
namespace {

using runtime::Runtime;
using runtime::Task;

/// Three tasks with three critical sections each: 1,680 orders.
void sections(Runtime& runtime) {
  runtime::Mutex mutex(runtime, "mutex");
  std::vector<Task> tasks;
  for (const char* const name : {"a", "b", "c"}) {
    tasks.push_back(spawn(runtime, name, [&] {
      for (int i = 0; i < 3; ++i) {
        const runtime::Lock lock(mutex);
      }
    }));
  }
  for (const Task& task : tasks) {
    task.join();
  }
}

/// A writer and eight readers of one cell: 256 orders that differ.
void readers(Runtime& runtime) {
  const auto cell = std::make_shared<runtime::Atomic<int>>(runtime, 0, "cell");
  spawn(runtime, "writer", [cell] { cell->store(1); });
  for (int i = 0; i < 8; ++i) {
    spawn(runtime, "reader", [cell] { (void)cell->load(); });
  }
}

/// Explores to the end and returns how many seconds that took.
double exhaust(void (*body)(Runtime&), std::size_t executions) {
  sim::ExploreResult result;
  const double nanos = nanoseconds(
      [&] { result = sim::explore({.strategy = "dpor", .schedules_max = 1'000'000}, body); });
  if (!result.exhausted || result.executions != executions) {
    throw std::logic_error("dpor does not play what it should");
  }
  return nanos / 1e9;
}

/// A planted bug among so many operations of each task, as a random walk finds it. Some walks end
/// in a mistake of another kind first; these are passed over.
sim::Failure found(const tests::Planted& planted, int noise) {
  for (std::uint64_t seed = 1; seed < 50; ++seed) {
    const sim::ExploreResult result =
        sim::explore({.strategy = "random", .seed = seed, .schedules_max = 20'000},
                     [&](Runtime& runtime) { planted.body(runtime, noise); });
    if (result.failure && result.failure->kind == planted.kind) {
      return *result.failure;
    }
  }
  throw std::logic_error("a planted bug is not found");
}

double milliseconds_to_shrink(const tests::Planted& planted, const sim::Failure& failure,
                              int noise) {
  const auto body = [&](Runtime& runtime) { planted.body(runtime, noise); };
  return nanoseconds([&] { (void)sim::shrink(failure, sim::ShrinkOptions{}, body); }) / 1e6;
}

double resident_megabytes() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages >> pages;
  return static_cast<double>(pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) / 1e6;
}

/// A task holds 4 KiB and a lock when the run fails: in a deadlock, because it has outlived the
/// root, or because the root throws.
void fail_with_a_task(Runtime& runtime, std::string_view kind) {
  runtime::Channel<int> channel(runtime, 0, "channel");
  runtime::Channel<int> started(runtime, 0, "started");
  const auto mutex = std::make_shared<runtime::Mutex>(runtime, "mutex");
  const Task task = spawn(runtime, "task", [mutex, channel, started] {
    const std::vector<char> mine(4096, 'x');
    const runtime::Lock lock(*mutex);
    started.send(1);
    channel.send(mine[0]);
  });
  (void)started.receive();
  if (kind == "deadlock") {
    task.join();
  } else if (kind == "violation") {
    runtime::ensure(mutex->try_lock(), "it fails");
  }
}

/// By how much the process grows in 100,000 runs that fail, after the first thousand.
double growth_by_failing_runs(std::string_view kind) {
  const auto play = [&](std::size_t runs) {
    const sim::ExploreResult result =
        sim::explore({.strategy = "random", .schedules_max = runs, .continues = true},
                     [&](Runtime& runtime) { fail_with_a_task(runtime, kind); });
    if (!result.failure) {
      throw std::logic_error("a program that fails has held");
    }
  };
  play(1'000);
  const double before = resident_megabytes();
  play(100'000);
  return resident_megabytes() - before;
}

}  // namespace

std::vector<Row> measure_exploration() {
  std::vector<Row> rows;
  rows.push_back(repeat("dpor.sections", "ms", [] { return 1e3 * exhaust(sections, 1680); }));
  rows.back().aim = "< 50 for all 1,680 orders of 3 x 3 sections";
  rows.push_back(
      repeat("dpor.readers", "executions/s", [] { return 256 / exhaust(readers, 256); }));
  rows.back().aim = ">= 50,000";
  for (const std::string_view kind : {"deadlock", "leak", "violation"}) {
    rows.push_back(repeat("failing_runs." + std::string(kind), "MB",
                          [&] { return growth_by_failing_runs(kind); }));
    rows.back().aim = "< 5 in 100,000 runs";
  }
  constexpr int kNoise = 1'600;
  for (const tests::Planted& planted : tests::planted_bugs()) {
    const sim::Failure failure = found(planted, kNoise);
    rows.push_back(repeat("shrink." + std::string(planted.name), "ms",
                          [&] { return milliseconds_to_shrink(planted, failure, kNoise); }));
    rows.back().aim = "< 2,000 of " + std::to_string(failure.steps) + " decisions";
  }
  return rows;
}

}  // namespace watchlab::benchmarks
