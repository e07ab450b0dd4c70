// From the text of a list into a store, and what a cached object costs.
#include <malloc.h>
#include <mimalloc.h>

#include <memory>
#include <string>
#include <vector>

#include "core/api/json.hpp"
#include "core/cache/cache.hpp"
#include "core/cache/list_watch.hpp"
#include "core/cache/reflector.hpp"
#include "core/port/watchers.hpp"
#include "core/runtime/thread_runtime.hpp"
#include "tests/benchmarks/bench_objects.hpp"
#include "tests/benchmarks/benchmark.hpp"

// The linker may not have it: see mimalloc_dep.
#pragma weak mi_heap_visit_blocks
#pragma weak mi_heap_get_default

namespace watchlab::benchmarks {
namespace {

constexpr double kCount = static_cast<double>(kObjects);

std::string list_text() {
  api::ObjectList list;
  list.kind = "ConfigMapList";
  list.api_version = "v1";
  list.resource_version = "200000";
  list.items = make_objects();
  return api::to_json(list);
}

/// Lists once from the text into the store and ends when the watch is asked for.
void reflect(const std::string& text, const std::shared_ptr<cache::Cache>& store,
             runtime::Runtime& runtime) {
  runtime::StopSource stop(runtime);
  auto source = std::make_shared<cache::ListWatch>(
      [&](const runtime::StopToken&, const api::ListOptions&) { return api::list_from_json(text); },
      [&](const runtime::StopToken&,
          const api::ListOptions&) -> api::Result<std::shared_ptr<watch::Watcher>> {
        stop.stop();
        return watch::make_empty_watch(runtime);
      });
  cache::Reflector(runtime, source, store, {.api_version = "v1", .kind = "ConfigMap"})
      .run(stop.token());
}

std::size_t reflected(const std::string& text) {
  runtime::ThreadRuntime runtime;
  const auto store = std::make_shared<cache::Cache>(runtime);
  runtime.run([&](runtime::Runtime&) { reflect(text, store, runtime); });
  return store->list_keys().size();
}

/// Bytes that this thread has allocated now. Where mimalloc is not linked, in the heaps and maps of
/// the C library, which otherwise knows of none.
double allocated() {
  if (mi_heap_visit_blocks != nullptr) {
    double sum = 0;
    const auto add_area = [](auto, const mi_heap_area_t* area, auto, auto, void* into) {
      *static_cast<double*>(into) += static_cast<double>(area->used * area->full_block_size);
      return true;
    };
    mi_heap_visit_blocks(mi_heap_get_default(), false, add_area, &sum);
    return sum;
  }
  const struct mallinfo2 heap = mallinfo2();
  return static_cast<double>(heap.uordblks + heap.hblkhd);
}

/// Without a reflector, whose task would allocate from the heap of its own thread.
double bytes_a_cached_object(const std::string& text) {
  runtime::ThreadRuntime runtime;
  const double before = allocated();
  cache::Cache store(runtime);
  (void)store.replace(api::list_from_json(text)->items, "1");
  return (allocated() - before) / kCount;
}

}  // namespace

std::vector<Row> measure_lists() {
  const std::string text = list_text();
  std::vector<Row> rows;
  rows.push_back(repeat("json.read_list", "ns/object", [&] {
    return nanoseconds([&] { use(api::list_from_json(text)->items.size()); }) / kCount;
  }));
  rows.push_back(repeat("json.reflector_list", "ns/object",
                        [&] { return nanoseconds([&] { use(reflected(text)); }) / kCount; }));
  for (Row& row : rows) {
    row.aim = "<= 1.0 x client-go";
  }
  rows.push_back(
      repeat("memory.cached_object", "bytes", [&] { return bytes_a_cached_object(text); }));
  rows.back().aim = "<= 0.9 x client-go";
  return rows;
}

}  // namespace watchlab::benchmarks
