#include <chrono>

#include "scenarios/programs/programs.hpp"
#include "scenarios/programs/small_cluster.hpp"

namespace watchlab::scenarios {

void relist_a_change(runtime::Runtime& runtime) {
  Calls regular;
  Calls once;
  const auto cluster =
      std::make_shared<SmallCluster>(runtime, std::initializer_list<std::string>{"demo"});
  const auto resync_period = std::chrono::seconds(10);
  RunningInformer informer(runtime, {.lister_watcher = cluster, .resync_period = resync_period});
  expect_that(informer->add_event_handler_with_resync_period(regular.ear(), resync_period).ok() &&
                  informer->add_event_handler_with_resync_period(once.ear(), {}).ok(),
              "a handler was refused");
  informer.start();
  runtime::sleep_for(runtime, std::chrono::seconds(25));
  cluster->change("demo");
  cluster->forget_history();
  runtime::sleep_for(runtime, std::chrono::seconds(10));
  informer.end();
  expect_that(once.updates == 1,
              "the handler without resyncs was not told what the relist brought");
}

}  // namespace watchlab::scenarios
