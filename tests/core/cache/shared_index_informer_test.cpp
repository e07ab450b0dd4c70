#include "core/cache/shared_index_informer.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <set>
#include <sstream>

#include "tests/core/cache/shared_informer_stage.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(shared_index_informer_test)

namespace {

/// Each object stands under the names of its labels.
cache::Indexers by_label(const std::string& name) {
  return {{name, [](const api::ObjectPtr& object) -> api::Result<std::vector<std::string>> {
             std::vector<std::string> names;
             for (const auto& [label, value] : object->metadata.labels) {
               names.push_back(label);
             }
             return names;
           }}};
}

/// "one@1 three@3": what stands under a value, in order.
std::string found(const cache::Indexer& indexer, const std::string& index,
                  const std::string& value) {
  const std::vector<api::ObjectPtr> objects = indexer.by_index(index, value).value();
  std::multiset<std::string> texts;
  for (const api::ObjectPtr& each : objects) {
    texts.insert(text_of(each));
  }
  return fmt::format("{}", fmt::join(texts, " "));
}

std::string values_of(const cache::Indexer& indexer, const std::string& index) {
  std::vector<std::string> values = indexer.list_index_function_values(index);
  std::ranges::sort(values);
  return fmt::format("{}", fmt::join(values, " "));
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_handler_receives_everything) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SharedInformerStage stage(runtime);
    stage.source->put("a");
    const auto first = stage.join();
    const auto second = stage.join();
    stage.start();
    stage.settle();
    stage.source->put("a");
    stage.settle();
    stage.source->remove("a");
    stage.settle();
    expect_equal(first->minutes(), "initial add a@1, update a@1 a@2, delete a@3");
    expect_equal(second->minutes(), first->minutes());
    stage.end();
  });
}

// Mirrors TestStateSharedInformer.
BOOST_AUTO_TEST_CASE(it_is_stopped_only_after_its_run) {
  holds_on_each_machine([](SharedInformerStage& stage) {
    expect(!stage.informer().is_stopped(), "not before the start");
    expect(!stage.informer().has_synced(), "nothing has synced before the start");
    expect_equal(stage.informer().last_sync_resource_version(), "");
    stage.start();
    stage.settle();
    expect(!stage.informer().is_stopped(), "not while it runs");
    expect(stage.informer().has_synced(), "an empty list syncs");
    expect_equal(stage.informer().last_sync_resource_version(), "0");
    stage.end();
    expect(stage.informer().is_stopped(), "after the run");
  });
  holds_on_each_machine([](SharedInformerStage& stage) {
    stage.source->put("a");
    const auto handler = stage.join();
    stage.start();
    stage.settle();
    expect_equal(handler->minutes(), "initial add a@1");
    expect(!stage.informer().is_stopped(), "not while it notifies");
    stage.running->stop.stop();
    stage.settle(1s);
    expect(stage.informer().is_stopped(), "a second after the stop");
    stage.end();
  });
}

// Mirrors TestIndexer.
BOOST_AUTO_TEST_CASE(indices_can_be_added_until_the_stop) {
  holds_on_each_machine([](SharedInformerStage& stage) {
    stage.source->put("one", {{"a", "1"}, {"b", "1"}});
    stage.source->put("two", {{"b", "2"}});
    expect(stage.informer().add_indexers(by_label("early")).ok(), "before the start");
    stage.start();
    stage.settle();
    const auto indexer = stage.informer().indexer();
    expect_equal(found(*indexer, "early", "a"), "one@1");
    stage.source->put("three", {{"a", "2"}});
    stage.settle();
    expect_equal(found(*indexer, "early", "a"), "one@1 three@3");
    expect(stage.informer().add_indexers(by_label("late")).ok(), "while it runs");
    expect(!stage.informer().add_indexers(by_label("late")).ok(), "not twice under one name");
    for (const char* index : {"early", "late"}) {
      expect_equal(found(*indexer, index, "a"), "one@1 three@3");
      expect_equal(found(*indexer, index, "b"), "one@1 two@2");
      expect_equal(values_of(*indexer, index), "a b");
    }
    stage.end();
    expect(!stage.informer().add_indexers({}).ok(), "not after the stop");
  });
}

// Mirrors TestSharedInformerWatchDisruption.
BOOST_AUTO_TEST_CASE(what_a_disruption_hid_is_delivered_to_all_with_and_without_resync) {
  for (const char* name : kThreeMachines) {
    holds_in_every_world([&](runtime::Runtime& runtime) {
      SharedInformerStage stage(runtime);
      stage.options.machine = listing_machine(name);
      stage.options.resync_period = 10min;
      stage.source->put("a");
      stage.source->put("b");
      stage.source->put("gone");
      const auto without = stage.join_with_resync(0s);
      const auto with = stage.join_with_resync(10min);
      stage.start();
      stage.settle();
      for (const auto& handler : {without, with}) {
        expect_equal(handler->minutes(), "initial add a@1, initial add b@2, initial add gone@3");
        handler->clear();
      }
      stage.settle(9min);  // One check of who is due, which leaves only the one with a resync.
      expect_equal(without->minutes(), "");
      expect_equal(with->minutes().size(),
                   std::string("update a@1 a@1, update b@2 b@2, update gone@3 gone@3").size());
      with->clear();
      stage.source->put_unseen("c");
      stage.source->put_unseen("b");
      stage.source->remove_unseen("gone");
      stage.settle(1min);
      expect_equal(without->minutes() + with->minutes(), "");
      stage.source->reset_watches();
      stage.settle(1min);
      const auto expect_delivered = [](const MinutesHandler& handler, std::set<std::string> news) {
        std::set<std::string> delivered;
        std::istringstream minutes(handler.minutes());
        for (std::string each; std::getline(minutes >> std::ws, each, ',');) {
          expect(delivered.insert(each).second, each + " is delivered once");
        }
        expect(delivered == news, handler.minutes());
      };
      expect_delivered(*without, {"add c@4", "update b@2 b@5", "delete gone(gone@3)"});
      expect_delivered(*with,
                       {"update a@1 a@1", "add c@4", "update b@2 b@5", "delete gone(gone@3)"});
      stage.end();
    });
  }
}

// A list that brings nothing new is no news for handlers without a resync that is due.
BOOST_AUTO_TEST_CASE(a_relist_of_unchanged_objects_is_delivered_to_no_handler) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SharedInformerStage stage(runtime);
    stage.options.resync_period = 10min;
    stage.source->put("a");
    const auto without = stage.join_with_resync(0s);
    stage.start();
    stage.settle(11min);  // The first check takes it out of those whose resync is due.
    without->clear();
    stage.source->put_unseen("b");
    stage.source->reset_watches();
    stage.settle(1min);
    expect_equal(stage.source->lists, 2);
    expect_equal(without->minutes(), "add b@2");
    stage.end();
  });
}

// Mirrors TestSharedInformerErrorHandling.
BOOST_AUTO_TEST_CASE(the_watch_error_handler_is_notified_of_a_failed_list) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SharedInformerStage stage(runtime);
    const auto server = std::make_shared<ScriptedServer>(runtime);
    server->answer_list(status_error(api::StatusReason::Forbidden));
    stage.options.lister_watcher = server;
    std::string received;
    expect(stage.informer()
               .set_watch_error_handler(
                   [&](cache::Reflector&, const api::Error& error) { received = error.message; })
               .ok(),
           "it can be set before the start");
    stage.start();
    stage.settle(500ms);
    expect_equal(received, "failed to list <unspecified>: scripted");
    stage.end();
  });
}

// Mirrors TestSharedInformerStartRace.
BOOST_AUTO_TEST_CASE(setters_race_with_the_start_without_harm) {
  holds_everywhere([](runtime::Runtime& runtime) {
    SharedInformerStage stage(runtime);
    (void)stage.informer();
    const auto setter = runtime::spawn(runtime, "setter", [&] {
      for (int i = 0; i < 10; ++i) {
        (void)stage.informer().set_transform({});
        (void)stage.informer().set_watch_error_handler({});
      }
    });
    stage.start();
    setter.join();
    stage.end();
    expect(!stage.informer().set_transform({}).ok(), "too late now");
    expect(!stage.informer().set_watch_error_handler({}).ok(), "too late now");
  });
}

// Mirrors TestSharedInformerTransformer.
BOOST_AUTO_TEST_CASE(handlers_and_store_see_transformed_objects) {
  holds_on_each_machine([](SharedInformerStage& stage) {
    expect(stage.informer()
               .set_transform([](const api::ObjectPtr& object) -> api::Result<api::ObjectPtr> {
                 api::Object renamed = *object;
                 renamed.metadata.name = "new-" + renamed.metadata.name;
                 return std::make_shared<const api::Object>(std::move(renamed));
               })
               .ok(),
           "it can be set before the start");
    const auto handler = stage.join();
    stage.source->put("a");
    stage.source->put("b");
    stage.start();
    stage.settle();
    stage.source->put("a");
    stage.settle();
    expect_equal(handler->minutes(),
                 "initial add new-a@1, initial add new-b@2, update new-a@1 new-a@3");
    expect_equal(contents_of(*stage.informer().indexer()), "new-a@3 new-b@2");
    stage.end();
  });
}

// Mirrors TestSharedInformerInitializationRace.
BOOST_AUTO_TEST_CASE(a_run_that_is_stopped_at_once_ends) {
  holds_everywhere([](runtime::Runtime& runtime) {
    SharedInformerStage stage(runtime);
    const auto handler = stage.join();
    stage.start();
    stage.end();
    expect(stage.informer().is_stopped(), "it has stopped");
  });
}

BOOST_AUTO_TEST_CASE(a_second_run_comes_back_and_changes_nothing) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SharedInformerStage stage(runtime);
    const auto handler = stage.join();
    stage.start();
    stage.settle();
    const runtime::StopSource never(runtime);
    stage.informer().run(never.token());
    stage.source->put("a");
    stage.settle();
    expect_equal(handler->minutes(), "add a@1");
    expect_equal(stage.source->lists, 1);
    stage.end();
  });
}

// Mirrors TestShutdown.
BOOST_AUTO_TEST_CASE(every_task_ends_after_the_stop_whenever_it_comes) {
  for (const char* name : kThreeMachines) {
    holds_everywhere([&](runtime::Runtime& runtime) {
      SharedInformerStage stage(runtime);
      stage.options.machine = listing_machine(name);
      stage.source->put("a");
      SharedInformerStage never_run(runtime);
      never_run.options.machine = listing_machine(name);
      (void)never_run.join();  // And nothing of it is left over.
      const auto early = stage.join();
      const cache::RegistrationPtr first = stage.last_registration;
      stage.start();
      const auto late = runtime::spawn(runtime, "late", [&] {
        const auto added = stage.informer().add_event_handler(std::make_shared<MinutesHandler>());
        expect(!added || stage.informer().remove_event_handler(*added).ok(), "it goes again");
      });
      stage.source->put("b");
      stage.end();
      late.join();
      expect(stage.informer().remove_event_handler(first).ok(), "after the stop");

      SharedInformerStage synced(runtime);
      synced.options.machine = listing_machine(name);
      (void)synced.join();
      synced.start();
      while (!synced.informer().has_synced()) {
        runtime::sleep_for(runtime, 1ms);
      }
      const auto added = synced.informer().add_event_handler(std::make_shared<MinutesHandler>());
      expect(added.ok(), "nothing refuses it before the stop");
      expect(synced.informer().remove_event_handler(*added).ok(), "and it goes again");
      synced.end();
      expect(synced.informer().remove_event_handler(synced.last_registration).ok(), "after it");
    });
  }
}

// Under every schedule, whatever handlers come and go: the store agrees with the source in the end.
BOOST_AUTO_TEST_CASE(under_many_writers_and_broken_watches_the_store_agrees_in_the_end) {
  holds_everywhere([](runtime::Runtime& runtime) {
    SharedInformerStage stage(runtime);
    const auto handler = stage.join();
    stage.start();
    const auto writer = runtime::spawn(runtime, "writer", [&] {
      for (int i = 0; i < 5; ++i) {
        stage.source->put("a");
        stage.source->put("b");
        stage.source->remove("a");
      }
    });
    const auto breaker = runtime::spawn(runtime, "breaker", [&] {
      stage.source->close_watches();
      stage.source->close_watches();
    });
    writer.join();
    breaker.join();
    stage.source->put("last");
    while (stage.informer().indexer()->get_by_key("last") == nullptr) {
      runtime::sleep_for(runtime, 10ms);
    }
    expect_equal(contents_of(*stage.informer().indexer()), stage.source->contents());
    stage.end();
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
