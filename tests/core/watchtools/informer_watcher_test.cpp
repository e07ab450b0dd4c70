#include "core/watchtools/informer_watcher.hpp"

#include <boost/test/unit_test.hpp>
#include <functional>
#include <map>

#include "core/cache/informer.hpp"
#include "core/runtime/task.hpp"
#include "tests/core/watch/events.hpp"
#include "tests/core/watchtools/scripted_source.hpp"
#include "tests/support/campaign.hpp"

namespace watchlab::tests {

using runtime::Runtime;
using watch::Event;
using watchtools::InformerWatcher;

BOOST_AUTO_TEST_SUITE(informer_watcher_test)

namespace {

/// Reads so many events and describes them by object, because nothing orders different objects.
std::string read_by_object(const InformerWatcher& informer, int count) {
  std::map<std::string, std::string> by_object;
  runtime::Channel<Event> events = informer.watcher->result_channel();
  for (int i = 0; i < count; ++i) {
    const std::optional<Event> event = events.receive();
    std::string& text = by_object[event->object->metadata.name];
    text += text.empty() ? "" : ",";
    text += text_of(*event);
  }
  std::string all;
  for (const auto& [name, text] : by_object) {
    all += all.empty() ? "" : "; ";
    all += text;
  }
  return all;
}

/// The bookmark that ends a streamed list.
Event mark(std::string_view resource_version) {
  api::Object object;
  object.metadata.resource_version = resource_version;
  object.metadata.annotations = {{std::string(api::kInitialEventsEnd), "true"}};
  return {.type = watch::EventType::Bookmark,
          .object = std::make_shared<const api::Object>(std::move(object)),
          .status = nullptr};
}

/// Plays the body with the informers of all releases, or of those that can stream lists.
void in_each_machine(bool streams_lists,
                     const std::function<void(Runtime&, const features::ReleaseProfile&)>& body) {
  for (features::ReleaseProfile machine : features::release_profiles()) {
    if (!streams_lists || machine.streams_lists) {
      machine.streams_lists = streams_lists;
      holds_in_every_world([&](Runtime& runtime) { body(runtime, machine); });
    }
  }
}

void stop(InformerWatcher& informer) {
  informer.watcher->stop();
  informer.watcher->stop();
  informer.done.receive();
}

}  // namespace

// Mirrors TestNewInformerWatcher.
BOOST_AUTO_TEST_CASE(listed_objects_are_added_and_changes_follow_in_the_order_of_each_object) {
  in_each_machine(false, [](Runtime& runtime, const features::ReleaseProfile& machine) {
    const auto source = std::make_shared<ScriptedSource>(
        runtime, std::vector<WatchAnswer>{{.events = {modified("a", "8"), deleted("b", "9"),
                                                      added("c", "10"), modified("a", "11")},
                                           .open = std::chrono::seconds(1)},
                                          {.events = {modified("a", "12"), modified("c", "13")}}});
    source->listed = list_of("7", {object("a", "3"), object("b", "5")});
    InformerWatcher informer = watchtools::new_indexer_informer_watcher(runtime, source, machine);
    expect_equal(read_by_object(informer, 6),
                 "ADDED a@3,MODIFIED a@8,MODIFIED a@11; ADDED b@5,DELETED b@9; ADDED c@10");
    // What comes of a second watch is not read any more.
    runtime::sleep_for(runtime, std::chrono::seconds(2));
    stop(informer);
    expect_equal(static_cast<int>(informer.indexer->list().size()), 2);
  });
}

// Mirrors TestNewInformerWatcher, its part with WatchListClient.
BOOST_AUTO_TEST_CASE(a_streamed_list_is_added_too_and_its_mark_is_kept_back) {
  in_each_machine(true, [](Runtime& runtime, const features::ReleaseProfile& machine) {
    const auto source = std::make_shared<ScriptedSource>(
        runtime, std::vector<WatchAnswer>{
                     {.events = {added("a", "3"), added("b", "5"), mark("7"), modified("a", "8"),
                                 deleted("b", "9"), added("c", "10")},
                      .open = std::chrono::seconds(1)},
                     {.events = {modified("a", "12"), modified("c", "13")}}});
    InformerWatcher informer = watchtools::new_indexer_informer_watcher(runtime, source, machine);
    expect_equal(read_by_object(informer, 5),
                 "ADDED a@3,MODIFIED a@8; ADDED b@5,DELETED b@9; ADDED c@10");
    expect_equal(source->lists(), 0);
    // What comes of a second watch is not read any more.
    runtime::sleep_for(runtime, std::chrono::seconds(2));
    expect_equal(source->revisions(), "10,13");
    stop(informer);
  });
}

// Mirrors TestInformerWatcherDeletedFinalStateUnknown; the bug B04.
BOOST_AUTO_TEST_CASE(a_deletion_that_was_missed_is_delivered_with_the_last_known_object) {
  for (const bool all_are_missed : {false, true}) {
    in_each_machine(false, [&](Runtime& runtime, const features::ReleaseProfile& machine) {
      const auto reason = all_are_missed ? api::StatusReason::Gone : api::StatusReason::Expired;
      const auto source = std::make_shared<ScriptedSource>(
          runtime, std::vector<WatchAnswer>{{.events = {failed(api::failure(reason, "too old"))}}});
      source->listed = list_of("7", {object("a", "3"), object("b", "5")});
      source->relisted = {all_are_missed ? list_of("9", {}) : list_of("9", {object("a", "8")})};
      InformerWatcher informer = watchtools::new_indexer_informer_watcher(runtime, source, machine);
      expect_equal(read_by_object(informer, 4),
                   all_are_missed ? "ADDED a@3,DELETED a@3; ADDED b@5,DELETED b@5"
                                  : "ADDED a@3,MODIFIED a@8; ADDED b@5,DELETED b@5");
      stop(informer);
      expect_equal(source->lists(), 2);
      expect(source->revisions().starts_with("7"), source->revisions());
    });
  }
}

BOOST_AUTO_TEST_CASE(a_slow_reader_does_not_keep_the_informer_from_its_work) {
  holds_in_every_world([](Runtime& runtime) {
    const auto source = std::make_shared<ScriptedSource>(runtime, std::vector<WatchAnswer>{});
    source->listed = list_of("7", {object("a", "3"), object("b", "5")});
    InformerWatcher informer = watchtools::new_indexer_informer_watcher(runtime, source);
    expect(cache::wait_for_cache_sync(runtime, {},
                                      {[&] { return informer.controller->has_synced(); }}),
           "it has everything although no task reads");
    stop(informer);
  });
}

BOOST_AUTO_TEST_CASE(a_stop_may_come_at_any_moment) {
  holds_everywhere([](Runtime& runtime) {
    const auto source = std::make_shared<ScriptedSource>(runtime, std::vector<WatchAnswer>{});
    source->listed = list_of("7", {object("a", "3")});
    InformerWatcher informer = watchtools::new_indexer_informer_watcher(runtime, source);
    stop(informer);
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
