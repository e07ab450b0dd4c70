#include <array>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/cache/cache.hpp"
#include "core/cache/fifo.hpp"
#include "core/cache/informer.hpp"
#include "scenarios/programs/catalogue.hpp"
#include "scenarios/programs/small_cluster.hpp"

namespace watchlab::scenarios {
namespace {

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
  expect_that(queue->has_synced(),
              "all of the first list was popped, and the queue has not synced");
}

void list_twice_before_a_pop(runtime::Runtime& runtime) {
  cache::FIFO queue(runtime);
  const std::vector<api::ObjectPtr> first{object_at("stays", "1"), object_at("goes", "1")};
  (void)queue.replace(first, "1");
  (void)queue.replace(std::span(first).first(1), "2");
  (void)queue.pop([](const cache::PopItem&, bool) { return cache::Processed(); });
  expect_that(queue.has_synced(), "all that was listed is popped, and the queue has not synced");
}

}  // namespace

std::vector<Program> queue_programs() {
  return {
      {.name = "list_an_object_twice",
       .doc = "A queue's first list names one object twice.",
       .play = list_an_object_twice},
      {.name = "list_twice_before_a_pop",
       .doc = "A queue of objects gets a second list before the first was popped.",
       .play = list_twice_before_a_pop,
       .holds = false},
  };
}

}  // namespace watchlab::scenarios
