#include "core/cache/wait_for_cache_sync.hpp"
#include "scenarios/programs/programs.hpp"
#include "scenarios/programs/small_cluster.hpp"

namespace watchlab::scenarios {

void join_a_running_informer(runtime::Runtime& runtime) {
  Calls calls;
  RunningInformer informer(
      runtime, {.lister_watcher = std::make_shared<SmallCluster>(
                    runtime, std::initializer_list<std::string>{"demo", "other", "third"})});
  const runtime::StopSource nobody(runtime);
  informer.start();
  (void)cache::wait_for_cache_sync(runtime, nobody.token(),
                                   {[&informer] { return informer->has_synced(); }});
  const cache::RegistrationPtr registration = *informer->add_event_handler(calls.ear());
  (void)cache::wait_for_cache_sync(runtime, nobody.token(),
                                   {[registration] { return registration->has_synced(); }});
  const int told = calls.adds;
  informer.end();
  expect_that(told == 3, "a handler that joined late has synced, and was not told of all objects");
}

}  // namespace watchlab::scenarios
