#include <chrono>
#include <memory>

#include "core/cache/informer.hpp"
#include "core/cache/shared_index_informer.hpp"
#include "core/runtime/task.hpp"
#include "scenarios/programs/catalogue.hpp"
#include "scenarios/programs/small_cluster.hpp"
#include "sim/network/connection.hpp"

namespace watchlab::scenarios {
namespace {

void join_a_starting_informer(runtime::Runtime& runtime) {
  Calls late;
  RunningInformer informer(runtime, {.lister_watcher = small_cluster(runtime, {"demo"})});
  informer.start();
  expect_that(informer->add_event_handler(late.listener()).ok(), "the handler was refused");
  runtime::sleep_for(runtime, std::chrono::seconds(1));
  informer.end();
  expect_that(late.adds == 1, "the handler was not notified of demo exactly once");
}

void join_a_running_informer(runtime::Runtime& runtime) {
  Calls calls;
  RunningInformer informer(runtime,
                           {.lister_watcher = small_cluster(runtime, {"demo", "other", "third"})});
  const runtime::StopSource unsignalled(runtime);
  informer.start();
  (void)cache::wait_for_cache_sync(runtime, unsignalled.token(),
                                   {[&informer] { return informer->has_synced(); }});
  const cache::RegistrationPtr registration = *informer->add_event_handler(calls.listener());
  (void)cache::wait_for_cache_sync(runtime, unsignalled.token(),
                                   {[registration] { return registration->has_synced(); }});
  const int notified = calls.adds;
  informer.end();
  expect_that(notified == 3,
              "a handler that joined late has synced, and was not notified of all objects");
}

void leave_a_starting_informer(runtime::Runtime& runtime) {
  Calls brief;
  RunningInformer informer(runtime, {.lister_watcher = small_cluster(runtime, {})});
  informer.start();
  const api::Result<cache::RegistrationPtr> registration =
      informer->add_event_handler(brief.listener());
  expect_that(registration.ok(), "the handler was refused");
  expect_that(informer->remove_event_handler(*registration).ok(), "the handler was not removed");
  runtime::sleep_for(runtime, std::chrono::seconds(1));
  informer.end();
}

void decide_when_synced(runtime::Runtime& runtime) {
  Calls calls;
  RunningInformer informer(runtime, {.lister_watcher = small_cluster(runtime, {"demo", "other"})});
  const cache::RegistrationPtr registration = *informer->add_event_handler(calls.listener());
  informer.start();
  const runtime::StopSource unsignalled(runtime);
  (void)cache::wait_for_cache_sync(runtime, unsignalled.token(),
                                   {[registration] { return registration->has_synced(); }});
  const int notified = calls.adds;
  informer.end();
  expect_that(notified == 2, "has synced, and was not notified of both objects");
}

std::size_t lists_of(sim::ServerHost& host) {
  std::size_t lists = 0;
  for (const sim::Exchange& exchange : host.exchanges()) {
    lists += exchange.request.verb == sim::Verb::List ? 1 : 0;
  }
  return lists;
}

void run_an_informer_twice(runtime::Runtime& runtime) {
  const auto host = sim::ServerHost::make(runtime);
  cache::SharedIndexInformerOptions options;
  options.lister_watcher = std::make_shared<sim::Connection>(host, sim::ConnectionOptions{});
  cache::SharedIndexInformer informer(runtime, options);
  runtime::StopSource stop(runtime);
  const auto run = [&] { informer.run(stop.token()); };
  const runtime::Task first = runtime::spawn(runtime, "first", run);
  const runtime::Task second = runtime::spawn(runtime, "second", run);
  runtime::sleep_for(runtime, std::chrono::seconds(1));
  stop.stop();
  first.join();
  second.join();
  expect_that(lists_of(*host) == 1,
              "the informer listed twice: both calls of run found that it had not started");
}

void stop_during_a_pause(runtime::Runtime& runtime) {
  const auto cluster = small_cluster(runtime, {"demo"});
  cluster->refuse_watches();
  RunningInformer informer(runtime, {.lister_watcher = cluster});
  informer.start();
  // By then the pauses have grown to half a minute and more.
  runtime::sleep_for(runtime, std::chrono::minutes(5));
  const runtime::TimePoint notified = runtime.now();
  informer.end();
  expect_that(runtime.now() - notified < std::chrono::seconds(1),
              "the informer did not end within a second of its stop");
}

}  // namespace

std::vector<Program> informer_programs() {
  return {
      {.name = "join_a_starting_informer",
       .doc = "A handler joins a shared informer that is just starting.",
       .play = join_a_starting_informer},
      {.name = "join_a_running_informer",
       .doc = "A handler joins a shared informer that has synced, and waits until it has synced "
              "itself.",
       .play = join_a_running_informer},
      {.name = "leave_a_starting_informer",
       .doc = "A handler joins a shared informer that is just starting, and leaves again.",
       .play = leave_a_starting_informer},
      {.name = "decide_when_synced",
       .doc = "A task waits until a handler has synced, and decides by what it was notified of.",
       .play = decide_when_synced},
      {.name = "run_an_informer_twice",
       .doc = "Two tasks run the same shared informer at the same moment.",
       .play = run_an_informer_twice,
       .holds = false},
      {.name = "stop_during_a_pause",
       .doc = "A client is stopped between two tries of a watch that is refused.",
       .play = stop_during_a_pause},
  };
}

}  // namespace watchlab::scenarios
