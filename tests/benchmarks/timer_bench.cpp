#include <chrono>
#include <memory>
#include <vector>

#include "core/runtime/task.hpp"
#include "core/runtime/timer.hpp"
#include "sim/explore/portfolio_strategy.hpp"
#include "sim/kernel/world.hpp"
#include "tests/benchmarks/benchmark.hpp"

namespace watchlab::benchmarks {
namespace {

using namespace std::chrono_literals;
using runtime::Runtime;
using runtime::Task;

constexpr int kLive = 10'000;

double nanoseconds_per_timer(std::size_t timers,
                             const std::function<void(Runtime&, std::size_t)>& body) {
  sim::World world({.steps_max = 100'000'000});
  sim::FifoStrategy fifo;
  double taken = 0;
  (void)world.run(fifo,
                  [&](Runtime& runtime) { taken = nanoseconds([&] { body(runtime, timers); }); });
  return taken / static_cast<double>(timers);
}

void chain(Runtime& runtime, std::size_t timers) {
  for (std::size_t i = 0; i < timers; ++i) {
    sleep_for(runtime, 1ms);
  }
}

/// One chain while the others wait for a day that does not come.
double chain_among_idle() {
  sim::World world({.steps_max = 100'000'000});
  sim::FifoStrategy fifo;
  constexpr std::size_t kTimers = 1'000'000;
  double taken = 0;
  (void)world.run(fifo, [&](Runtime& runtime) {
    std::vector<std::unique_ptr<runtime::Timer>> idle;
    for (int i = 1; i < kLive; ++i) {
      idle.push_back(std::make_unique<runtime::Timer>(runtime, 24h + i * 1ms));
    }
    taken = nanoseconds([&] { chain(runtime, kTimers); });
  });
  return taken / kTimers;
}

/// Every one of the live timers is a chain of its own, with its own pace.
void many_chains(Runtime& runtime, std::size_t timers) {
  std::vector<Task> tasks;
  const std::size_t each = timers / kLive;
  for (int i = 0; i < kLive; ++i) {
    tasks.push_back(spawn(runtime, "chain", [&runtime, each, i] {
      for (std::size_t turn = 0; turn < each; ++turn) {
        sleep_for(runtime, 1ms + i * 997ns);
      }
    }));
  }
  for (const Task& task : tasks) {
    task.join();
  }
}

}  // namespace

std::vector<Row> measure_timers() {
  std::vector<Row> rows;
  rows.push_back(repeat("timers.one_live", "ns/timer",
                        [] { return nanoseconds_per_timer(1'000'000, chain); }));
  rows.back().aim = "<= 60";
  rows.push_back(repeat("timers.10000_live", "ns/timer", chain_among_idle));
  rows.back().aim = "<= 150";
  rows.push_back(repeat("timers.10000_chains", "ns/timer",
                        [] { return nanoseconds_per_timer(1'000'000, many_chains); }));
  return rows;
}

}  // namespace watchlab::benchmarks
