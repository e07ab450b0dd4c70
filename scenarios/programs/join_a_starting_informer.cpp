#include <chrono>

#include "scenarios/programs/programs.hpp"
#include "scenarios/programs/small_cluster.hpp"

namespace watchlab::scenarios {

void join_a_starting_informer(runtime::Runtime& runtime) {
  Calls late;
  RunningInformer informer(runtime, {.lister_watcher = std::make_shared<SmallCluster>(
                                         runtime, std::initializer_list<std::string>{"demo"})});
  informer.start();
  expect_that(informer->add_event_handler(late.ear()).ok(), "the handler was refused");
  runtime::sleep_for(runtime, std::chrono::seconds(1));
  informer.end();
  expect_that(late.adds == 1, "the handler was not told of demo exactly once");
}

}  // namespace watchlab::scenarios
