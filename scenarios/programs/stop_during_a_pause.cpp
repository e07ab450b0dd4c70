#include <chrono>

#include "scenarios/programs/programs.hpp"
#include "scenarios/programs/small_cluster.hpp"

namespace watchlab::scenarios {

void stop_during_a_pause(runtime::Runtime& runtime) {
  const auto cluster =
      std::make_shared<SmallCluster>(runtime, std::initializer_list<std::string>{"demo"});
  cluster->refuse_watches();
  RunningInformer informer(runtime, {.lister_watcher = cluster});
  informer.start();
  // By then the pauses have grown to half a minute and more.
  runtime::sleep_for(runtime, std::chrono::minutes(5));
  const runtime::TimePoint told = runtime.now();
  informer.end();
  expect_that(runtime.now() - told < std::chrono::seconds(1),
              "the informer did not end within a second of its stop");
}

}  // namespace watchlab::scenarios
