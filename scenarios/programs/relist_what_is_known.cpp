#include <chrono>

#include "scenarios/programs/programs.hpp"
#include "scenarios/programs/small_cluster.hpp"

namespace watchlab::scenarios {

void relist_what_is_known(runtime::Runtime& runtime) {
  Calls calls;
  const auto cluster = std::make_shared<SmallCluster>(
      runtime, std::initializer_list<std::string>{"demo", "other", "third"});
  RunningInformer informer(runtime,
                           {.lister_watcher = cluster, .resync_period = std::chrono::seconds(10)});
  expect_that(informer->add_event_handler_with_resync_period(calls.ear(), {}).ok(),
              "the handler was refused");
  informer.start();
  // Until the first check of resyncs everybody counts as due, and hears everything.
  runtime::sleep_for(runtime, std::chrono::seconds(25));
  cluster->change("demo");
  cluster->forget_history();
  runtime::sleep_for(runtime, std::chrono::seconds(10));
  informer.end();
  expect_that(calls.updates == 1, "the handler was told of " + std::to_string(calls.updates) +
                                      " updates where one object has changed");
}

}  // namespace watchlab::scenarios
