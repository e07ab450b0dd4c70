#include "core/cache/wait_for_cache_sync.hpp"
#include "scenarios/programs/programs.hpp"
#include "scenarios/programs/small_cluster.hpp"

namespace watchlab::scenarios {

void decide_when_synced(runtime::Runtime& runtime) {
  Calls calls;
  RunningInformer informer(runtime,
                           {.lister_watcher = std::make_shared<SmallCluster>(
                                runtime, std::initializer_list<std::string>{"demo", "other"})});
  const cache::RegistrationPtr registration = *informer->add_event_handler(calls.ear());
  informer.start();
  const runtime::StopSource nobody(runtime);
  (void)cache::wait_for_cache_sync(runtime, nobody.token(),
                                   {[registration] { return registration->has_synced(); }});
  const int told = calls.adds;
  informer.end();
  expect_that(told == 2, "has synced, and was not told of both objects");
}

}  // namespace watchlab::scenarios
