#include <chrono>

#include "scenarios/programs/programs.hpp"
#include "scenarios/programs/small_cluster.hpp"

namespace watchlab::scenarios {

void resync_before_the_start(runtime::Runtime& runtime) {
  Calls calls;
  RunningInformer informer(runtime, {.lister_watcher = std::make_shared<SmallCluster>(
                                         runtime, std::initializer_list<std::string>{"demo"}),
                                     .resync_period = std::chrono::seconds(1)});
  expect_that(informer->add_event_handler(calls.ear()).ok(), "the handler was refused");
  informer.start();
  runtime::sleep_for(runtime, std::chrono::seconds(3));
  informer.end();
}

}  // namespace watchlab::scenarios
