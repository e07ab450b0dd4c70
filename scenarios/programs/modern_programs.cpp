#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/cache/cache.hpp"
#include "core/cache/informer.hpp"
#include "core/cache/real_fifo.hpp"
#include "core/features/release_profile.hpp"
#include "core/runtime/task.hpp"
#include "scenarios/programs/catalogue.hpp"
#include "scenarios/programs/small_cluster.hpp"

namespace watchlab::scenarios {
namespace {

using WatcherPtr = std::shared_ptr<watch::Watcher>;

const features::ReleaseProfile& modern() { return *features::find_machine("modern"); }

/// 0.37 with plain lists.
features::ReleaseProfile modern_with_lists() {
  features::ReleaseProfile machine = modern();
  machine.streams_lists = false;
  return machine;
}

/// A server that answers as it is told to.
struct Source : cache::ListerWatcher {
  std::function<api::Result<api::ObjectList>()> answer_list;
  std::function<api::Result<WatcherPtr>(const api::ListOptions&)> answer_watch;

  api::Result<api::ObjectList> list(const runtime::StopToken& /*stop*/,
                                    const api::ListOptions& /*options*/) override {
    return answer_list();
  }
  api::Result<WatcherPtr> watch(const runtime::StopToken& /*stop*/,
                                const api::ListOptions& options) override {
    return answer_watch(options);
  }
};

/// Runs an informer with one handler for so long, and waits for its end.
struct PlainInformer {
  PlainInformer(runtime::Runtime& runtime_in, cache::InformerOptions options)
      : runtime(runtime_in),
        informer(cache::new_informer_with_options(runtime_in, std::move(options))),
        stop(runtime_in) {
    task = runtime::spawn(
        runtime, "informer",
        [controller = informer.controller, token = stop.token()] { controller->run(token); });
  }
  void end() {
    stop.stop();
    task.join();
  }

  runtime::Runtime& runtime;
  cache::Informer informer;
  runtime::StopSource stop;
  runtime::Task task;
};

void list_one_without_a_key(runtime::Runtime& runtime) {
  Calls calls;
  PlainInformer running(
      runtime, {.lister_watcher = small_cluster(runtime, {"odd", "demo"}),
                .handler = calls.listener(),
                .transform = [](const api::ObjectPtr& object) -> api::Result<api::ObjectPtr> {
                  return object->metadata.name == "odd" ? nullptr : object;  // no object at all
                },
                .machine = modern_with_lists()});
  runtime::sleep_for(runtime, std::chrono::minutes(10));
  const bool synced = running.informer.controller->has_synced();
  const bool is_empty = running.informer.store->list().empty();
  running.end();
  expect_that(!synced || !is_empty, "the informer has synced, and its store is empty");
}

void list_a_key_twice(runtime::Runtime& runtime) {
  Calls calls;
  PlainInformer running(runtime, {.lister_watcher = small_cluster(runtime, {"demo", "demo"}),
                                  .handler = calls.listener(),
                                  .machine = modern_with_lists()});
  runtime::sleep_for(runtime, std::chrono::seconds(5));
  running.end();
  expect_that(calls.adds == 1, "the handler was notified of " + std::to_string(calls.adds) +
                                   " additions of one object");
}

void read_ahead_of_a_batch(runtime::Runtime& runtime) {
  const auto cluster = small_cluster(runtime, {"first", "second", "third"});
  std::shared_ptr<cache::Store> store;
  std::string seen;
  const auto reader = cache::make_handler(
      {.add = [](const api::ObjectPtr&, bool) {},
       .update =
           [&](const api::ObjectPtr&, const api::ObjectPtr& object) {
             if (object->metadata.name == "second") {
               seen = store->get_by_key("default/third")->metadata.resource_version;
             }
             runtime::sleep_for(runtime, std::chrono::seconds(5));
           },
       .remove = [](const cache::Item&) {}});
  PlainInformer running(
      runtime, {.lister_watcher = cluster, .handler = reader, .machine = modern_with_lists()});
  store = running.informer.store;
  runtime::sleep_for(runtime, std::chrono::seconds(1));
  for (const std::string name : {"first", "second", "third"}) {
    cluster->change(name);
    cluster->deliver_change();
  }
  runtime::sleep_for(runtime, std::chrono::minutes(1));
  running.end();
  expect_that(seen == "4", "notified of the second at revision 6, the handler finds the third at " +
                               seen + ", of which it was not notified");
}

void list_while_a_bookmark_is_processed(runtime::Runtime& runtime) {
  cache::RealFIFO queue(
      runtime,
      {.atomic_events = true, .unlock_while_processing = true, .emit_delta_type_bookmark = true});
  (void)queue.bookmark("1");
  const runtime::Task producer = runtime::spawn(runtime, "producer", [&] {
    (void)queue.replace(std::vector<api::ObjectPtr>{object_at("demo", "2")}, "2");
  });
  (void)queue.pop([](const cache::PopItem&, bool) -> cache::Processed { return {}; });
  producer.join();
  expect_that(!queue.has_synced(), "the queue has synced, and the first list is still queued");
}

/// Names nothing that is called "odd".
api::Result<std::string> picky_key(const cache::Item& item) {
  const api::ObjectPtr object = cache::object_of(item);
  if (object->metadata.name == "odd") {
    return api::Error{.message = "it has no key"};
  }
  return object->metadata.name;
}

void resync_one_without_a_key(runtime::Runtime& runtime) {
  const auto store = std::make_shared<cache::Cache>(runtime, cache::meta_namespace_key);
  (void)store->add(object_at("odd", "1"));
  cache::RealFIFO queue(runtime, {.key_function = picky_key, .known_objects = store.get()});
  expect_that(!queue.resync().ok(), "the resync has repeated nothing, and says that all went well");
}

/// The list as a stream up to its mark, and as a list.
void compare_a_transformed_stream(runtime::Runtime& runtime) {
  const auto source = std::make_shared<Source>();
  source->answer_list = []() {
    api::ObjectList list;
    list.resource_version = "7";
    list.items = {object_at("demo", "3")};
    return list;
  };
  source->answer_watch = [&runtime](const api::ListOptions& options) -> api::Result<WatcherPtr> {
    const auto watcher = std::make_shared<watch::RaceFreeFakeWatcher>(runtime);
    if (options.send_initial_events.value_or(false)) {
      watcher->add(object_at("demo", "3"));
      auto mark = std::make_shared<api::Object>(*object_at("", "7"));
      mark->metadata.annotations[std::string(api::kInitialEventsEnd)] = "true";
      watcher->action({.type = watch::EventType::Bookmark, .object = mark});
    }
    return WatcherPtr(watcher);
  };
  const auto queue = cache::make_informer_queue(
      runtime, {.store = std::make_shared<cache::Cache>(runtime, cache::meta_namespace_key),
                .transform = [](const api::ObjectPtr& object) -> api::Result<api::ObjectPtr> {
                  auto slim = std::make_shared<api::Object>(*object);
                  slim->metadata.uid = "slim";
                  return api::ObjectPtr(slim);
                },
                .metrics = nullptr,
                .machine = modern()});
  cache::ReflectorOptions options = cache::reflector_of(modern(), {});
  options.checks_consistency = true;
  cache::Reflector reflector(runtime, source, queue, options);
  runtime::StopSource stop(runtime);
  const runtime::Task task =
      runtime::spawn(runtime, "reflector", [&] { reflector.run(stop.token()); });
  runtime::sleep_for(runtime, std::chrono::seconds(5));
  stop.stop();
  task.join();
}

}  // namespace

std::vector<Program> modern_programs() {
  return {
      {.name = "compare_a_transformed_stream",
       .doc = "A streamed list whose objects are transformed is compared with a plain one.",
       .play = compare_a_transformed_stream},
      {.name = "list_a_key_twice",
       .doc = "An informer of 0.37 gets a list that names one object twice.",
       .play = list_a_key_twice,
       .holds = false},
      {.name = "list_one_without_a_key",
       .doc = "An informer of 0.37 gets a list with an object that its transformer made none of.",
       .play = list_one_without_a_key,
       .holds = false},
      {.name = "list_while_a_bookmark_is_processed",
       .doc = "A queue of 0.37 gets its first list while a bookmark from before it is processed.",
       .play = list_while_a_bookmark_is_processed,
       .holds = false},
      {.name = "read_ahead_of_a_batch",
       .doc = "A handler of 0.37 reads another object than the one that it is notified of.",
       .play = read_ahead_of_a_batch,
       .holds = false},
      {.name = "resync_one_without_a_key",
       .doc = "A queue that keeps the order of all changes resyncs an object that has no key.",
       .play = resync_one_without_a_key},
  };
}

}  // namespace watchlab::scenarios
