// The programs of peers/, written for watchlab: what Shuttle and Loom are measured with, and a
// token that two threads of the operating system hand to each other.
#include <condition_variable>
#include <deque>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/runtime/atomic.hpp"
#include "core/runtime/cond_var.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/task.hpp"
#include "sim/explore/explore.hpp"
#include "sim/explore/random_strategy.hpp"
#include "sim/kernel/world.hpp"
#include "tests/benchmarks/bench_objects.hpp"
#include "tests/benchmarks/benchmark.hpp"

namespace watchlab::benchmarks {
namespace {

using runtime::Lock;
using runtime::Runtime;
using runtime::Task;
using Body = std::function<void(Runtime&)>;

constexpr int kHandOffs = 20'000;

void join_all(const std::vector<Task>& tasks) {
  for (const Task& task : tasks) {
    task.join();
  }
}

Body locks(int tasks_count, int sections) {
  return [=](Runtime& runtime) {
    runtime::Mutex mutex(runtime, "mutex");
    int value = 0;
    std::vector<Task> tasks;
    for (int i = 0; i < tasks_count; ++i) {
      tasks.push_back(spawn(runtime, "task", [&] {
        for (int section = 0; section < sections; ++section) {
          const Lock lock(mutex);
          ++value;
        }
      }));
    }
    join_all(tasks);
  };
}

Body counter(int tasks_count, int additions) {
  return [=](Runtime& runtime) {
    runtime::Atomic<int> value(runtime, 0, "value");
    std::vector<Task> tasks;
    for (int i = 0; i < tasks_count; ++i) {
      tasks.push_back(spawn(runtime, "task", [&] {
        for (int addition = 0; addition < additions; ++addition) {
          value.fetch_add(1);
        }
      }));
    }
    join_all(tasks);
  };
}

Body readers(int count) {
  return [=](Runtime& runtime) {
    runtime::Atomic<int> cell(runtime, 0, "cell");
    std::vector<Task> tasks;
    tasks.push_back(spawn(runtime, "writer", [&] { cell.store(1); }));
    for (int i = 0; i < count; ++i) {
      tasks.push_back(spawn(runtime, "reader", [&] { (void)cell.load(); }));
    }
    join_all(tasks);
  };
}

/// Schedules a second, as the command `explore` plays them: recorded, with a digest.
Row sampled(const std::string& strategy, const std::string& program, const Body& body) {
  constexpr std::size_t kSchedules = 20'000;
  Row row = repeat(strategy + "." + program, "schedules/s", [&] {
    const double taken = nanoseconds(
        [&] { (void)sim::explore({.strategy = strategy, .schedules_max = kSchedules}, body); });
    return kSchedules / taken * 1e9;
  });
  row.aim = ">= 3 x Shuttle";
  return row;
}

/// Milliseconds until nothing is left to explore.
Row exhausted(const std::string& program, const Body& body) {
  return repeat("all." + program, "ms", [&] {
    return nanoseconds([&] {
             const sim::ExploreResult result =
                 sim::explore({.strategy = "dpor", .schedules_max = 1'000'000}, body);
             if (!result.exhausted) {
               throw std::logic_error("a small program has too many executions");
             }
           }) /
           1e6;
  });
}

void hand_over_tasks(Runtime& runtime) {
  runtime::Mutex mutex(runtime, "token");
  runtime::CondVar changed(runtime, "changed");
  int turn = 0;
  const auto play = [&](int mine) {
    for (int i = 0; i < kHandOffs / 2; ++i) {
      Lock lock(mutex);
      while (turn != mine) {
        changed.wait(lock);
      }
      turn = 1 - mine;
      changed.notify_one();
    }
  };
  const Task other = spawn(runtime, "other", [&] { play(1); });
  play(0);
  other.join();
}

void hand_over_threads() {
  std::mutex mutex;
  std::condition_variable changed;
  int turn = 0;
  const auto play = [&](int mine) {
    for (int i = 0; i < kHandOffs / 2; ++i) {
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return turn == mine; });
      turn = 1 - mine;
      changed.notify_one();
    }
  };
  const std::jthread other([&] { play(1); });
  play(0);
}

}  // namespace

std::vector<Row> measure_peers() {
  std::vector<Row> rows{
      sampled("random", "bounded_buffer", bounded_buffer),
      sampled("pct", "bounded_buffer", bounded_buffer),
      sampled("random", "lock", locks(3, 3)),
      sampled("random", "counter", counter(3, 10)),
      sampled("random", "readers", readers(8)),
      exhausted("lock_2x2", locks(2, 2)),
      exhausted("lock_2x3", locks(2, 3)),
      exhausted("counter_2x2", counter(2, 2)),
      exhausted("readers_2", readers(2)),
  };
  rows.push_back(repeat("hand_off.os_threads", "ns",
                        [] { return nanoseconds(hand_over_threads) / kHandOffs; }));
  rows.push_back(repeat("hand_off.random", "ns", [] {
    sim::World world({.steps_max = 10'000'000});
    sim::RandomStrategy random(1);
    (void)random.prepare(0);
    return nanoseconds([&] { (void)world.run(random, hand_over_tasks); }) / kHandOffs;
  }));
  rows.back().peer = "hand_off.os_threads";
  return rows;
}

}  // namespace watchlab::benchmarks
