// A shared informer on OS threads: each notification is handed from thread to thread twice.
#include <memory>
#include <string>
#include <vector>

#include "core/cache/list_watch.hpp"
#include "core/cache/shared_index_informer.hpp"
#include "core/port/watchers.hpp"
#include "core/runtime/thread_runtime.hpp"
#include "core/runtime/wait_group.hpp"
#include "tests/benchmarks/bench_objects.hpp"
#include "tests/benchmarks/benchmark.hpp"

namespace watchlab::benchmarks {
namespace {

constexpr std::size_t kEvents = 20'000;

std::shared_ptr<cache::SharedIndexInformer> informer_of(
    runtime::Runtime& runtime, const runtime::Channel<watch::Event>& events) {
  cache::SharedIndexInformerOptions options;
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

/// Nanoseconds an event, from the first until every handler has heard the last.
double notify(std::size_t handlers, std::size_t count, const std::vector<api::ObjectPtr>& objects) {
  runtime::ThreadRuntime runtime;
  const runtime::Channel<watch::Event> events(runtime, 0, "events");
  const auto informer = informer_of(runtime, events);
  runtime::WaitGroup received(runtime, "heard");
  received.add(static_cast<std::ptrdiff_t>(handlers * count));
  for (std::size_t i = 0; i < handlers; ++i) {
    (void)informer->add_event_handler(cache::make_handler(
        {.add = [&received](const api::ObjectPtr&, bool) { received.done(); }}));
  }
  double taken = 0;
  runtime.run([&](runtime::Runtime&) {
    runtime::StopSource stop(runtime);
    runtime::WaitGroup running(runtime, "running");
    running.start("informer", [&] { informer->run(stop.token()); });
    taken = nanoseconds([&] {
      for (std::size_t i = 0; i < count; ++i) {
        events.send({.type = watch::EventType::Added, .object = objects[i], .status = nullptr});
      }
      received.wait();
    });
    stop.stop();
    running.wait();
  });
  return taken / static_cast<double>(count);
}

}  // namespace

std::vector<Row> measure_informers() {
  std::vector<api::ObjectPtr> objects;
  for (std::size_t i = 0; i < kEvents; ++i) {
    objects.push_back(make_object(i));
  }
  std::vector<Row> rows;
  for (const std::size_t handlers : {1, 10, 100}) {
    // As many notifications in all, or the last row would take minutes.
    const std::size_t count = kEvents / handlers;
    rows.push_back(repeat("informers." + std::to_string(handlers) + "_handlers", "ns/event",
                          [&] { return notify(handlers, count, objects); }));
  }
  return rows;
}

}  // namespace watchlab::benchmarks
