#include "tests/benchmarks/benchmark.hpp"

#include <algorithm>
#include <chrono>

namespace watchlab::benchmarks {
namespace {

constexpr int kRepetitions = 7;

}  // namespace

const std::vector<Benchmark>& catalogue() {
  static const std::vector<Benchmark> kCatalogue{
      {"points", "three tasks that lock and unlock: the cost of one scheduling point",
       measure_points},
      {"bounded_buffer", "3 producers, 3 consumers, 27 items, capacity 3: whole schedules",
       measure_bounded_buffer},
      {"exploration", "dpor to the end of small programs, and shrinking the ten planted bugs",
       measure_exploration},
      {"peers", "the programs of Shuttle and Loom (Rust), and a hand-off between std::threads",
       measure_peers, When::Named},
      {"timers", "chained sleeps on virtual time, alone and among 10,000", measure_timers},
      {"posts", "handlers posted to the World executor, beside io_context", measure_posts},
      {"stores", "a store of 100,000 objects on OS threads, beside client-go", measure_stores},
      {"queues", "100,000 objects through a queue on OS threads, beside client-go", measure_queues},
      {"lists", "a list of 100,000 objects of 1 kB, and what each costs to keep", measure_lists},
      {"informers", "a shared informer with 1, 10 and 100 handlers on fibers, beside client-go",
       measure_informers},
      {"modern", "queue, transactions, streamed list and informers of 0.37, beside client-go 0.37",
       measure_modern},
      {"fibers", "a hop between tasks, a task, two workers, 10,000 informers on FiberRuntime",
       measure_fibers},
      {"stories", "small informer stories: list, watch, 20 events, two handlers", measure_stories},
      {"serve", "watchlab serve as a process: its start, 10,000 watches, 100,000 events/s, lists",
       measure_serve, When::Long},
      {"hostile", "the same beside clients that mean harm: what a good one gets, and memory",
       measure_hostile, When::Long},
      {"month", "30 virtual days of an informer: 10 objects, resync 30 s, a write a minute",
       measure_month, When::Long},
      {"worlds", "a world with up to 10,000 informers: time and memory for each", measure_worlds,
       When::Long},
      {"objects", "a world with up to 1,000,000 objects: time and memory for each", measure_objects,
       When::Long},
  };
  return kCatalogue;
}

double nanoseconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

Row repeat(std::string name, std::string unit, const std::function<double()>& once) {
  std::vector<double> values;
  (void)once();
  for (int i = 0; i < kRepetitions; ++i) {
    values.push_back(once());
  }
  std::sort(values.begin(), values.end());
  Row row;
  row.name = std::move(name);
  row.unit = std::move(unit);
  row.median = values[values.size() / 2];
  row.lowest = values.front();
  row.highest = values.back();
  row.repetitions = kRepetitions;
  return row;
}

}  // namespace watchlab::benchmarks
