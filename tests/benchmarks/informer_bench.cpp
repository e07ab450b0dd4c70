// A shared informer on fibers and on OS threads: each notification is handed from task to task
// twice. And what fibers cost by themselves: a hop, a task, ten thousand informers.
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "core/cache/list_watch.hpp"
#include "core/cache/shared_index_informer.hpp"
#include "core/port/watchers.hpp"
#include "core/runtime/fibers/fiber_runtime.hpp"
#include "core/runtime/task.hpp"
#include "core/runtime/thread_runtime.hpp"
#include "core/runtime/wait_group.hpp"
#include "tests/benchmarks/bench_objects.hpp"
#include "tests/benchmarks/benchmark.hpp"

namespace watchlab::benchmarks {
namespace {

constexpr std::size_t kEvents = 20'000;

std::shared_ptr<cache::SharedIndexInformer> informer_of(
    runtime::Runtime& runtime, const runtime::Channel<watch::Event>& events,
    const std::string& machine = "classic") {
  cache::SharedIndexInformerOptions options;
  options.machine = *features::find_machine(machine);
  options.lister_watcher = std::make_shared<cache::ListWatch>(
      [](const runtime::StopToken&, const api::ListOptions&) -> api::Result<api::ObjectList> {
        api::ObjectList list;
        list.resource_version = "1";
        return list;
      },
      [&runtime, events](const runtime::StopToken&,
                         const api::ListOptions&) -> api::Result<std::shared_ptr<watch::Watcher>> {
        return std::shared_ptr<watch::Watcher>(
            std::make_shared<watch::ProxyWatcher>(runtime, events));
      });
  return std::make_shared<cache::SharedIndexInformer>(runtime, std::move(options));
}

/// How many handlers hear how many events.
struct Load {
  std::size_t handlers = 1;
  std::size_t events = 0;
  std::size_t work = 0;  ///< turns of a loop in each call of a handler
  std::string machine = "classic";
};

/// Not inlined, so that a turn takes as long wherever it is called.
[[gnu::noinline]] void compute(std::size_t turns) {
  for (std::size_t i = 0; i < turns; ++i) {
    __asm__ volatile("");
  }
}

/// Not a constant, for which compilers make a loop of their own.
const volatile std::size_t kTurns = 500'000'000;

/// How many turns of `compute` take that long on this machine, whose processor is slow to wake up.
std::size_t turns_in(std::chrono::nanoseconds time) {
  double turn = 1;
  for (int i = 0; i < 7; ++i) {
    turn = std::min(turn, nanoseconds([] { compute(kTurns); }) / static_cast<double>(kTurns));
  }
  return static_cast<std::size_t>(static_cast<double>(time.count()) / turn);
}

/// How many times the work of one thread two do in its time: what a machine gives two workers.
double gain_of_two_threads() {
  const double one = nanoseconds([] { compute(kTurns); });
  const double both = nanoseconds([] {
    const std::jthread other([] { compute(kTurns); });
    compute(kTurns);
  });
  return 2 * one / both;
}

/// Nanoseconds an event, from the first until every handler has heard the last.
template <typename AnyRuntime>
double notify(AnyRuntime& runtime, const Load& load, const std::vector<api::ObjectPtr>& objects) {
  const runtime::Channel<watch::Event> events(runtime, 0, "events");
  const auto informer = informer_of(runtime, events, load.machine);
  runtime::WaitGroup received(runtime, "heard");
  received.add(static_cast<std::ptrdiff_t>(load.handlers * load.events));
  for (std::size_t i = 0; i < load.handlers; ++i) {
    (void)informer->add_event_handler(
        cache::make_handler({.add = [&received, work = load.work](const api::ObjectPtr&, bool) {
          compute(work);
          received.done();
        }}));
  }
  double taken = 0;
  runtime.run([&](runtime::Runtime&) {
    runtime::StopSource stop(runtime);
    runtime::WaitGroup running(runtime, "running");
    running.start("informer", [&] { informer->run(stop.token()); });
    if (features::find_machine(load.machine)->streams_lists) {
      events.send(end_of_streamed_list("1"));
    }
    while (!informer->has_synced()) {
      runtime::sleep_for(runtime, std::chrono::milliseconds(1));
    }
    taken = nanoseconds([&] {
      for (std::size_t i = 0; i < load.events; ++i) {
        events.send({.type = watch::EventType::Added, .object = objects[i], .status = nullptr});
      }
      received.wait();
    });
    stop.stop();
    running.wait();
  });
  return taken / static_cast<double>(load.events);
}

std::vector<api::ObjectPtr> some_objects() {
  std::vector<api::ObjectPtr> objects;
  for (std::size_t i = 0; i < kEvents; ++i) {
    objects.push_back(make_object(i));
  }
  return objects;
}

/// Nanoseconds for each of many values that one task sends and another receives.
double hop() {
  constexpr int kHops = 1'000'000;
  runtime::FiberRuntime fibers;
  double taken = 0;
  fibers.run([&](runtime::Runtime& runtime) {
    runtime::Channel<int> channel(runtime, 0);
    const runtime::Task receiver = runtime::spawn(runtime, "receiver", [&channel] {
      while (channel.receive()) {
      }
    });
    taken = nanoseconds([&] {
      for (int i = 0; i < kHops; ++i) {
        channel.send(i);
      }
      channel.close();
      receiver.join();
    });
  });
  return taken / kHops;
}

/// Nanoseconds to start a task, run it and wait for its end.
double start_and_end() {
  constexpr int kTasks = 1'000'000;
  runtime::FiberRuntime fibers;
  double taken = 0;
  fibers.run([&](runtime::Runtime& runtime) {
    std::size_t ran = 0;
    taken = nanoseconds([&] {
      for (int i = 0; i < kTasks; ++i) {
        const runtime::Task task = runtime::spawn(runtime, "short", [&ran] { ++ran; });
        task.join();
      }
    });
    use(ran);
  });
  return taken / kTasks;
}

double resident_bytes() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages >> pages;
  return static_cast<double>(pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)));
}

/// Resident kB for each of many informers with one handler, all of them synced.
double memory_of_informers() {
  constexpr std::size_t kInformers = 10'000;
  runtime::FiberRuntime fibers;
  double taken = 0;
  fibers.run([&](runtime::Runtime& runtime) {
    const double before = resident_bytes();
    const runtime::Channel<watch::Event> events(runtime, 0, "events");
    runtime::StopSource stop(runtime);
    runtime::WaitGroup running(runtime, "running");
    std::vector<std::shared_ptr<cache::SharedIndexInformer>> informers;
    for (std::size_t i = 0; i < kInformers; ++i) {
      const auto& informer = informers.emplace_back(informer_of(runtime, events));
      (void)informer->add_event_handler(cache::make_handler({}));
      running.start("informer", [&informer = *informer, &stop] { informer.run(stop.token()); });
    }
    for (const auto& informer : informers) {
      while (!informer->has_synced()) {
        runtime::sleep_for(runtime, std::chrono::milliseconds(1));
      }
    }
    taken = (resident_bytes() - before) / static_cast<double>(kInformers);
    stop.stop();
    running.wait();
  });
  return taken / 1000;
}

}  // namespace

std::vector<Row> measure_informers() {
  const std::vector<api::ObjectPtr> objects = some_objects();
  std::vector<Row> rows;
  for (const std::size_t handlers : {1, 10, 100}) {
    // As many notifications in all, or the last row would take minutes.
    const Load load{.handlers = handlers, .events = kEvents / handlers};
    const std::string name = "informers." + std::to_string(handlers) + "_handlers";
    rows.push_back(repeat(name, "ns/event", [&] {
      runtime::FiberRuntime fibers;
      return notify(fibers, load, objects);
    }));
    rows.back().aim = "<= 1.0 x client-go";
    rows.push_back(repeat(name + ".os_threads", "ns/event", [&] {
      runtime::ThreadRuntime threads;
      return notify(threads, load, objects);
    }));
  }
  return rows;
}

std::vector<Row> measure_modern_informers() {
  const std::vector<api::ObjectPtr> objects = some_objects();
  std::vector<Row> rows;
  for (const std::size_t handlers : {1, 10, 100}) {
    const Load load{.handlers = handlers, .events = kEvents / handlers, .machine = "modern"};
    rows.push_back(
        repeat("modern.informer_" + std::to_string(handlers) + "_handlers", "ns/event", [&] {
          runtime::FiberRuntime fibers;
          return notify(fibers, load, objects);
        }));
    rows.back().aim = "<= 1.0 x client-go";
  }
  return rows;
}

std::vector<Row> measure_fibers() {
  const std::vector<api::ObjectPtr> objects = some_objects();
  std::vector<Row> rows;
  rows.push_back(repeat("fibers.hop", "ns", hop));
  rows.back().aim = "<= 60";
  rows.push_back(repeat("fibers.start_and_end", "ns", start_and_end));
  rows.back().aim = "<= 250";
  // So many that they last: a system may begin both workers on one core, for some milliseconds.
  const Load load{.handlers = 8, .events = 20'000, .work = turns_in(std::chrono::microseconds(5))};
  for (const std::size_t workers : {1, 2}) {
    rows.push_back(
        repeat("fibers.fan_out." + std::to_string(workers) + "_workers", "ns/event", [&] {
          runtime::FiberRuntime fibers({.threads = workers});
          return notify(fibers, load, objects);
        }));
  }
  rows.back().peer = "fibers.fan_out.1_workers";
  rows.back().aim = "<= 0.625 x one worker";
  rows.push_back(repeat("fibers.two_threads", "x one", gain_of_two_threads));
  rows.back().aim = "2, or the machine has no two cores to give";
  rows.push_back(repeat("fibers.10000_informers", "kB each", memory_of_informers));
  rows.back().aim = "<= 60";
  return rows;
}

}  // namespace watchlab::benchmarks
