#include <array>
#include <memory>
#include <utility>

#include "core/cache/cache.hpp"
#include "core/cache/informer.hpp"
#include "scenarios/programs/programs.hpp"
#include "sim/kernel/violation.hpp"

namespace watchlab::scenarios {

void list_an_object_twice(runtime::Runtime& runtime) {
  api::Object demo;
  demo.metadata.name = "demo";
  demo.metadata.namespace_ = "default";
  demo.metadata.resource_version = "7";
  const auto object = std::make_shared<const api::Object>(std::move(demo));
  const auto queue = cache::make_informer_queue(
      runtime, {.store = std::make_shared<cache::Cache>(runtime, cache::meta_namespace_key)});
  (void)queue->replace(std::array{object, object}, "9");
  (void)queue->pop([](const cache::PopItem&, bool) -> cache::Processed { return {}; });
  if (!queue->has_synced()) {
    throw sim::Violation("all of the first list was popped, and the queue has not synced");
  }
}

}  // namespace watchlab::scenarios
