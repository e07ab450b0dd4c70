#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/runtime/atomic.hpp"
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

}  // namespace

std::vector<Row> measure_exploration() {
  std::vector<Row> rows;
  rows.push_back(repeat("dpor.sections", "ms", [] { return 1e3 * exhaust(sections, 1680); }));
  rows.back().aim = "< 50 for all 1,680 orders of 3 x 3 sections";
  rows.push_back(
      repeat("dpor.readers", "executions/s", [] { return 256 / exhaust(readers, 256); }));
  rows.back().aim = ">= 50,000";
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
