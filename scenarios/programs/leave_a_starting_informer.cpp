#include <chrono>

#include "scenarios/programs/programs.hpp"
#include "scenarios/programs/small_cluster.hpp"

namespace watchlab::scenarios {

void leave_a_starting_informer(runtime::Runtime& runtime) {
  Calls brief;
  RunningInformer informer(runtime, {.lister_watcher = std::make_shared<SmallCluster>(
                                         runtime, std::initializer_list<std::string>{})});
  informer.start();
  const api::Result<cache::RegistrationPtr> registration = informer->add_event_handler(brief.ear());
  expect_that(registration.ok(), "the handler was refused");
  expect_that(informer->remove_event_handler(*registration).ok(), "the handler was not removed");
  runtime::sleep_for(runtime, std::chrono::seconds(1));
  informer.end();
}

}  // namespace watchlab::scenarios
