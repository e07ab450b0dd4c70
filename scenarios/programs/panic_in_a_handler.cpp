#include <chrono>
#include <stdexcept>

#include "scenarios/programs/programs.hpp"
#include "scenarios/programs/small_cluster.hpp"

namespace watchlab::scenarios {

void panic_in_a_handler(runtime::Runtime& runtime) {
  int updates = 0;
  const auto cluster =
      std::make_shared<SmallCluster>(runtime, std::initializer_list<std::string>{"demo"});
  RunningInformer informer(runtime, {.lister_watcher = cluster, .crash_on_panic = false});
  const auto nervous = cache::make_handler(
      {.add = [](const api::ObjectPtr&, bool) { throw std::runtime_error("a slip"); },
       .update = [&updates](const api::ObjectPtr&, const api::ObjectPtr&) { ++updates; },
       .remove = [](const cache::Item&) {}});
  expect_that(informer->add_event_handler(nervous).ok(), "the handler was refused");
  informer.start();
  runtime::sleep_for(runtime, std::chrono::seconds(5));
  cluster->change("demo");
  cluster->tell();
  runtime::sleep_for(runtime, std::chrono::seconds(5));
  informer.end();
  expect_that(updates == 1, "the handler was not told of the update after its panic");
}

}  // namespace watchlab::scenarios
