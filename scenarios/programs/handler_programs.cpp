#include <chrono>
#include <stdexcept>

#include "scenarios/programs/catalogue.hpp"
#include "scenarios/programs/small_cluster.hpp"

namespace watchlab::scenarios {
namespace {

void panic_in_a_handler(runtime::Runtime& runtime) {
  int updates = 0;
  const auto cluster = small_cluster(runtime, {"demo"});
  RunningInformer informer(runtime, {.lister_watcher = cluster, .crash_on_panic = false});
  const auto nervous = cache::make_handler(
      {.add = [](const api::ObjectPtr&, bool) { throw std::runtime_error("a slip"); },
       .update = [&updates](const api::ObjectPtr&, const api::ObjectPtr&) { ++updates; },
       .remove = [](const cache::Item&) {}});
  expect_that(informer->add_event_handler(nervous).ok(), "the handler was refused");
  informer.start();
  runtime::sleep_for(runtime, std::chrono::seconds(5));
  cluster->change("demo");
  cluster->deliver_change();
  runtime::sleep_for(runtime, std::chrono::seconds(5));
  informer.end();
  expect_that(updates == 1, "the handler was not notified of the update after its panic");
}

void panic_in_the_first_list(runtime::Runtime& runtime) {
  const auto cluster = small_cluster(runtime, {"poison", "sane"});
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

/// Changes an object when no handler counts as due for a resync any more: until the first check of
/// resyncs every handler does, and receives everything. The watch does not deliver the change: only
/// the relist can.
void relist_after_a_while(runtime::Runtime& runtime, SmallCluster& cluster,
                          RunningInformer& informer) {
  informer.start();
  runtime::sleep_for(runtime, std::chrono::seconds(25));
  cluster.change("demo");
  cluster.forget_history();
  runtime::sleep_for(runtime, std::chrono::seconds(10));
  informer.end();
}

void relist_a_change(runtime::Runtime& runtime) {
  Calls regular;
  Calls once;
  const auto cluster = small_cluster(runtime, {"demo"});
  const auto resync_period = std::chrono::seconds(10);
  RunningInformer informer(runtime, {.lister_watcher = cluster, .resync_period = resync_period});
  expect_that(
      informer->add_event_handler_with_resync_period(regular.listener(), resync_period).ok() &&
          informer->add_event_handler_with_resync_period(once.listener(), {}).ok(),
      "a handler was refused");
  relist_after_a_while(runtime, *cluster, informer);
  expect_that(once.updates == 1,
              "the handler without resyncs was not notified of what the relist brought");
}

void relist_what_is_known(runtime::Runtime& runtime) {
  Calls calls;
  const auto cluster = small_cluster(runtime, {"demo", "other", "third"});
  RunningInformer informer(runtime,
                           {.lister_watcher = cluster, .resync_period = std::chrono::seconds(10)});
  expect_that(informer->add_event_handler_with_resync_period(calls.listener(), {}).ok(),
              "the handler was refused");
  relist_after_a_while(runtime, *cluster, informer);
  expect_that(calls.updates == 1, "the handler was notified of " + std::to_string(calls.updates) +
                                      " updates where one object has changed");
}

void resync_before_the_start(runtime::Runtime& runtime) {
  Calls calls;
  RunningInformer informer(runtime, {.lister_watcher = small_cluster(runtime, {"demo"}),
                                     .resync_period = std::chrono::seconds(1)});
  expect_that(informer->add_event_handler(calls.listener()).ok(), "the handler was refused");
  informer.start();
  runtime::sleep_for(runtime, std::chrono::seconds(3));
  informer.end();
}

}  // namespace

std::vector<Program> handler_programs() {
  return {
      {.name = "panic_in_a_handler",
       .doc = "A handler panics in its first call, and there is more to deliver to it.",
       .play = panic_in_a_handler},
      {.name = "panic_in_the_first_list",
       .doc = "A handler panics at one object of the first list, where panics do not crash.",
       .play = panic_in_the_first_list,
       .holds = false},
      {.name = "relist_a_change",
       .doc = "A shared informer learns of a change from a relist; one handler wants no resyncs.",
       .play = relist_a_change},
      {.name = "relist_what_is_known",
       .doc = "A shared informer relists three objects, of which one has changed.",
       .play = relist_what_is_known},
      {.name = "resync_before_the_start",
       .doc = "A resync is due when a shared informer's handlers have hardly been started.",
       .play = resync_before_the_start},
  };
}

}  // namespace watchlab::scenarios
