#include <chrono>
#include <stdexcept>

#include "scenarios/programs/programs.hpp"
#include "scenarios/programs/small_cluster.hpp"

namespace watchlab::scenarios {

void panic_in_the_first_list(runtime::Runtime& runtime) {
  const auto cluster =
      std::make_shared<SmallCluster>(runtime, std::initializer_list<std::string>{"poison", "sane"});
  RunningInformer informer(runtime, {.lister_watcher = cluster, .crash_on_panic = false});
  const auto nervous = cache::make_handler({.add = [](const api::ObjectPtr& object, bool) {
    if (object->metadata.name == "poison") {
      throw std::runtime_error("a slip");
    }
  }});
  const cache::RegistrationPtr registration = *informer->add_event_handler(nervous);
  informer.start();
  runtime::sleep_for(runtime, std::chrono::hours(1));
  const bool synced = registration->has_synced();
  informer.end();
  expect_that(synced, "an hour after the list the registration says that it has not synced");
}

}  // namespace watchlab::scenarios
