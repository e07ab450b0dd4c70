#include <vector>

#include "core/runtime/mutex.hpp"
#include "core/runtime/task.hpp"
#include "core/runtime/thread_runtime.hpp"
#include "sim/explore/portfolio_strategy.hpp"
#include "sim/explore/random_strategy.hpp"
#include "sim/kernel/world.hpp"
#include "tests/benchmarks/bench_objects.hpp"
#include "tests/benchmarks/benchmark.hpp"

namespace watchlab::benchmarks {
namespace {

using runtime::Lock;
using runtime::Runtime;
using runtime::Task;

void lock_and_unlock(Runtime& runtime) {
  runtime::Mutex one(runtime, "one");
  runtime::Mutex two(runtime, "two");
  std::vector<Task> tasks;
  for (int i = 0; i < 3; ++i) {
    tasks.push_back(spawn(runtime, "task", [&] {
      for (int turn = 0; turn < 10'000; ++turn) {
        const Lock lock(turn % 2 == 0 ? one : two);
      }
    }));
  }
  for (const Task& task : tasks) {
    task.join();
  }
}

/// Schedules a second, with recording of deviations and the digest on, as explore runs them.
double schedules_per_second(sim::Strategy& strategy) {
  constexpr int kRuns = 20'000;
  sim::World world;
  const double taken = nanoseconds([&] {
    for (std::size_t run = 0; run < kRuns; ++run) {
      (void)strategy.prepare(run);
      (void)world.run(strategy, bounded_buffer);
    }
  });
  return kRuns / taken * 1e9;
}

double nanoseconds_per_point(sim::Strategy& strategy) {
  sim::World world({.steps_max = 1'000'000});
  (void)strategy.prepare(0);
  std::size_t steps = 0;
  const double taken = nanoseconds([&] { steps = world.run(strategy, lock_and_unlock).steps; });
  return taken / static_cast<double>(steps);
}

}  // namespace

std::vector<Row> measure_points() {
  sim::RandomStrategy random(1);
  sim::FifoStrategy fifo;
  std::vector<Row> rows;
  rows.push_back(
      repeat("points.random", "ns/point", [&] { return nanoseconds_per_point(random); }));
  rows.back().aim = "<= 60";
  rows.push_back(repeat("points.fifo", "ns/point", [&] { return nanoseconds_per_point(fifo); }));
  return rows;
}

std::vector<Row> measure_bounded_buffer() {
  sim::RandomStrategy random(1);
  sim::FifoStrategy fifo;
  std::vector<Row> rows;
  rows.push_back(repeat("bounded_buffer.os_threads", "schedules/s", [] {
    constexpr int kRuns = 100;
    runtime::ThreadRuntime threads;
    const double taken = nanoseconds([&] {
      for (int run = 0; run < kRuns; ++run) {
        bounded_buffer(threads);
      }
    });
    return kRuns / taken * 1e9;
  }));
  rows.push_back(
      repeat("bounded_buffer.random", "schedules/s", [&] { return schedules_per_second(random); }));
  rows.back().aim = ">= 100000";
  rows.back().peer = "bounded_buffer.os_threads";
  rows.push_back(
      repeat("bounded_buffer.fifo", "schedules/s", [&] { return schedules_per_second(fifo); }));
  rows.back().peer = "bounded_buffer.os_threads";
  return rows;
}

}  // namespace watchlab::benchmarks
