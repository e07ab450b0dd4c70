#include <span>
#include <vector>

#include "core/cache/fifo.hpp"
#include "scenarios/programs/programs.hpp"
#include "scenarios/programs/small_cluster.hpp"

namespace watchlab::scenarios {

void list_twice_before_a_pop(runtime::Runtime& runtime) {
  cache::FIFO queue(runtime);
  const std::vector<api::ObjectPtr> first{object_at("stays", "1"), object_at("goes", "1")};
  (void)queue.replace(first, "1");
  (void)queue.replace(std::span(first).first(1), "2");
  (void)queue.pop([](const cache::PopItem&, bool) { return cache::Processed(); });
  expect_that(queue.has_synced(), "all that was listed is popped, and the queue has not synced");
}

}  // namespace watchlab::scenarios
