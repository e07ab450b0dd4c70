// Stores and queues on the runtime of earnest use.
#include <string>
#include <vector>

#include "core/cache/cache.hpp"
#include "core/cache/delta_fifo.hpp"
#include "core/cache/fifo.hpp"
#include "core/runtime/thread_runtime.hpp"
#include "tests/benchmarks/bench_objects.hpp"
#include "tests/benchmarks/benchmark.hpp"

namespace watchlab::benchmarks {
namespace {

/// A row whose value is the time of `work`, shared out among all objects.
Row per_object(std::string name, std::string aim, const std::function<void()>& work) {
  Row row = repeat(std::move(name), "ns/object",
                   [&] { return nanoseconds(work) / static_cast<double>(kObjects); });
  row.aim = std::move(aim);
  return row;
}

constexpr const char* kNoSlower = "<= 1.0 x client-go";

template <typename Queue>
void add_and_pop(const std::vector<api::ObjectPtr>& objects) {
  runtime::ThreadRuntime runtime;
  Queue queue(runtime);
  for (const api::ObjectPtr& object : objects) {
    (void)queue.add(object);
  }
  for (std::size_t i = 0; i < objects.size(); ++i) {
    (void)queue.pop([](const cache::PopItem&, bool) -> cache::Processed { return {}; });
  }
}

}  // namespace

std::vector<Row> measure_stores() {
  const std::vector<api::ObjectPtr> objects = make_objects();
  runtime::ThreadRuntime runtime;
  cache::Cache store(runtime, cache::meta_namespace_key,
                     {{"namespace", cache::meta_namespace_index}});
  (void)store.replace(objects, "1");
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < kObjects; ++i) {
    keys.push_back(key_number(i * 7919 % kObjects));
  }
  std::vector<Row> rows;
  rows.push_back(per_object("stores.get", "<= 1.3 x client-go", [&] {
    for (const std::string& key : keys) {
      use(store.get_by_key(key) != nullptr ? 1 : 0);
    }
  }));
  rows.push_back(per_object("stores.by_index", kNoSlower, [&] {
    for (std::size_t i = 0; i < kNamespaces; ++i) {
      use(store.by_index("namespace", "namespace-" + std::to_string(i))->size());
    }
  }));
  rows.push_back(per_object("stores.list", kNoSlower, [&] { use(store.list().size()); }));
  rows.push_back(
      per_object("stores.replace", kNoSlower, [&] { (void)store.replace(objects, "2"); }));
  return rows;
}

std::vector<Row> measure_queues() {
  const std::vector<api::ObjectPtr> objects = make_objects();
  return {
      per_object("queues.fifo", kNoSlower, [&] { add_and_pop<cache::FIFO>(objects); }),
      per_object("queues.delta_fifo", kNoSlower, [&] { add_and_pop<cache::DeltaFIFO>(objects); }),
  };
}

}  // namespace watchlab::benchmarks
