// The machine of client-go 0.37, beside that release: its queue, its store and its streamed lists
// on the runtimes of earnest use. How its informers notify stands in informer_bench.cpp.
#include <string>
#include <vector>

#include "core/cache/cache.hpp"
#include "core/cache/list_watch.hpp"
#include "core/cache/real_fifo.hpp"
#include "core/cache/reflector.hpp"
#include "core/port/watchers.hpp"
#include "core/runtime/fibers/fiber_runtime.hpp"
#include "core/runtime/task.hpp"
#include "core/runtime/thread_runtime.hpp"
#include "tests/benchmarks/bench_objects.hpp"
#include "tests/benchmarks/benchmark.hpp"

namespace watchlab::benchmarks {
namespace {

using Objects = std::vector<api::ObjectPtr>;

/// A row whose value is the time of `work`, shared out among all objects.
Row per_object(std::string name, const std::function<void()>& work) {
  Row row = repeat(std::move(name), "ns/object",
                   [&] { return nanoseconds(work) / static_cast<double>(kObjects); });
  row.aim = "<= 1.0 x client-go";
  return row;
}

/// As an informer of 0.37 makes its queue.
cache::RealFIFOOptions options_of_today() {
  return {.atomic_events = true, .unlock_while_processing = true, .emit_delta_type_bookmark = true};
}

void fill(cache::RealFIFO& queue, const Objects& objects) {
  for (const api::ObjectPtr& object : objects) {
    (void)queue.add(object);
  }
}

cache::Processed pass_over(const cache::PopItem& /*item*/, bool /*is_initial*/) { return {}; }

void pop_each(const Objects& objects) {
  runtime::ThreadRuntime runtime;
  cache::RealFIFO queue(runtime, options_of_today());
  fill(queue, objects);
  for (std::size_t i = 0; i < objects.size(); ++i) {
    (void)queue.pop(pass_over);
  }
}

void pop_batches(const Objects& objects) {
  runtime::ThreadRuntime runtime;
  cache::RealFIFO queue(runtime, options_of_today());
  fill(queue, objects);
  std::size_t popped = 0;
  while (popped < objects.size()) {
    (void)queue.pop_batch(
        [&popped](const cache::Deltas& batch, bool) -> api::Result<void> {
          popped += batch.size();
          return {};
        },
        [&popped](const cache::PopItem&, bool) -> cache::Processed {
          ++popped;
          return {};
        });
  }
}

/// All objects, a thousand at a time, into a store that has them.
void change_in_transactions(cache::Cache& store, const Objects& objects) {
  constexpr std::size_t kTogether = 1'000;
  std::vector<cache::Transaction> changes(kTogether);
  for (std::size_t first = 0; first < objects.size(); first += kTogether) {
    for (std::size_t i = 0; i < kTogether; ++i) {
      changes[i] = {.type = cache::Transaction::Type::Update, .item = objects[first + i]};
    }
    (void)store.transaction(changes);
  }
}

/// Collects the objects from a stream that another task sends, up to its mark.
void stream_list(const Objects& objects) {
  runtime::FiberRuntime fibers;
  fibers.run([&](runtime::Runtime& runtime) {
    const runtime::Channel<watch::Event> events(runtime, 0, "events");
    runtime::StopSource stop(runtime);
    const auto source = std::make_shared<cache::ListWatch>(
        [](const runtime::StopToken&, const api::ListOptions&) -> api::Result<api::ObjectList> {
          return api::Error{.message = "nothing is listed"};
        },
        [&](const runtime::StopToken&,
            const api::ListOptions&) -> api::Result<std::shared_ptr<watch::Watcher>> {
          return std::shared_ptr<watch::Watcher>(
              std::make_shared<watch::ProxyWatcher>(runtime, events));
        });
    const auto store = std::make_shared<cache::Cache>(runtime);
    cache::Reflector reflector(runtime, source, store, {.streams_lists = true});
    const runtime::Task sender = runtime::spawn(runtime, "sender", [&] {
      for (const api::ObjectPtr& object : objects) {
        events.send({.type = watch::EventType::Added, .object = object, .status = nullptr});
      }
      events.send(end_of_streamed_list("200000"));
      stop.stop();
    });
    reflector.run(stop.token());
    sender.join();
    runtime::ensure(store->list_keys().size() == objects.size(), "the streamed list is complete");
  });
}

}  // namespace

std::vector<Row> measure_modern() {
  const Objects objects = make_objects();
  runtime::ThreadRuntime runtime;
  cache::Cache store(runtime, cache::meta_namespace_key,
                     {{"namespace", cache::meta_namespace_index}});
  (void)store.replace(objects, "1");
  std::vector<Row> rows;
  rows.push_back(per_object("modern.real_fifo", [&] { pop_each(objects); }));
  rows.push_back(per_object("modern.real_fifo_batches", [&] { pop_batches(objects); }));
  rows.push_back(
      per_object("modern.transactions_of_1000", [&] { change_in_transactions(store, objects); }));
  rows.push_back(per_object("modern.streamed_list", [&] { stream_list(objects); }));
  for (Row& row : measure_modern_informers()) {
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace watchlab::benchmarks
