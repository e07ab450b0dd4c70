#include "core/cache/reflector.hpp"

#include <boost/test/unit_test.hpp>

#include "core/cache/delta_fifo.hpp"
#include "core/cache/store.hpp"
#include "tests/core/cache/scripted_server.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(reflector_test)

// Mirrors TestReflectorListAndWatch.
BOOST_AUTO_TEST_CASE(it_lists_at_zero_and_watches_from_the_lists_revision) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    stage.server->answer_list(listing("10", {object("a", "3"), object("b", "7")}));
    stage.server->stream({added("c", "11"), modified("a", "12"), deleted("b", "13")});
    stage.run_for(1min);
    expect_equal(stage.server->story(), "list 0, watch 10");
    expect_equal(stage.store->minutes(),
                 "replace a@3 b@7 rv 10, add c@11, update a@12, remove b@13");
    expect_equal(stage.reflector().last_sync_resource_version(), "13");
    const auto requests = stage.server->requests();
    expect(requests[0].options == api::ListOptions{.resource_version = "0", .limit = 500},
           "the list asks for anything, in pages of 500");
    api::ListOptions watched = requests[1].options;
    watched.timeout_seconds = 0;  // drawn
    expect(watched == api::ListOptions{.resource_version = "10", .allow_watch_bookmarks = true},
           "a watch asks for bookmarks, and for no list before them");
  });
}

BOOST_AUTO_TEST_CASE(the_last_revision_is_unknown_before_the_first_list) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    stage.server->answer_list(refused());
    stage.run_for(1min);
    expect_equal(stage.reflector().last_sync_resource_version(), "");
  });
}

// Mirrors TestReflectorWatchHandler.
BOOST_AUTO_TEST_CASE(events_of_another_type_are_skipped) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    stage.options.kind = "Pod";
    stage.options.api_version = "v1";
    api::Object pod = *object("pod", "12");
    pod.kind = "Pod";
    api::Object old_pod = pod;
    old_pod.api_version = "v1beta1";
    stage.server->answer_list(listing("10"));
    stage.server->stream({added("configmap", "11"),
                          event(watch::EventType::Added, std::make_shared<api::Object>(pod)),
                          event(watch::EventType::Added, std::make_shared<api::Object>(old_pod)),
                          bookmark("99"), event(watch::EventType::Added, nullptr)});
    stage.run_for(1min);
    expect_equal(stage.store->minutes(), "replace rv 10, add pod@12");
    expect_equal(stage.reflector().last_sync_resource_version(), "12");
  });
}

// Mirrors TestCloseWatchChannelOnError, whose error event holds an object that is no status.
BOOST_AUTO_TEST_CASE(an_error_event_stops_the_watcher) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    for (const watch::Event& error : {error_event(api::StatusReason::Expired),
                                      event(watch::EventType::Error, object("bar", "11"))}) {
      ReflectorStage stage(runtime);
      stage.server->answer_list(listing("10"));
      stage.server->stream({error, added("unread", "12")});
      runtime::StopSource stop(runtime);
      expect(stage.reflector().list_and_watch(stop.token()).ok(),
             "the cycle ends without an error");
      expect(stage.server->latest_stream().is_stopped(), "the watcher is stopped");
      const auto& channel = stage.server->latest_stream().result_channel();
      expect_equal(text_of(channel.receive()->object), "unread@12");
      expect(!channel.receive().has_value(), "and so its channel is closed");
      expect_equal(stage.store->minutes(), "replace rv 10");
      expect_equal(stage.reflector().last_sync_resource_version(), "10");
      expect_equal(stage.server->story(), "list 0, watch 10");
    }
  });
}

// Mirrors TestRunUntil.
BOOST_AUTO_TEST_CASE(a_stop_ends_the_run_at_once_and_stops_the_watcher) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    stage.server->answer_list(listing("10"));
    stage.server->stream({added("bar", "11")});
    const runtime::TimePoint start = runtime.now();
    stage.run_for(3s);
    expect(runtime.now() - start == 3s, "the stop costs no time");
    expect(stage.server->all_streams_stopped(), "no stream is left open");
    expect(!stage.server->latest_stream().result_channel().receive().has_value(),
           "the channel is closed and empty");
    expect_equal(stage.server->story(), "list 0, watch 10");
    expect_equal(stage.store->minutes(), "replace rv 10, add bar@11");
  });
}

// Mirrors TestReflectorWatchStoppedBefore.
BOOST_AUTO_TEST_CASE(no_watch_is_opened_after_the_stop) {
  holds_everywhere([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    runtime::StopSource stop(runtime);
    stage.server->on_list([&](const auto&, const auto&) {
      stop.stop();
      return api::Result<api::ObjectList>(listing("10"));
    });
    expect(stage.reflector().list_and_watch(stop.token()).ok(), "a stop is no error");
    expect_equal(stage.server->story(), "list 0");
  });
}

// Mirrors TestReflectorWatchStoppedAfter.
BOOST_AUTO_TEST_CASE(a_watch_that_opens_during_the_stop_is_stopped) {
  holds_everywhere([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    runtime::StopSource stop(runtime);
    const auto watcher = std::make_shared<watch::RaceFreeFakeWatcher>(runtime);
    stage.server->answer_list(listing("10"));
    stage.server->on_watch([&](const auto&, const auto&) {
      stop.stop();
      return api::Result<WatcherPtr>(watcher);
    });
    expect(stage.reflector().list_and_watch(stop.token()).ok(), "a stop is no error");
    expect(watcher->is_stopped(), "the watcher is stopped");
    expect_equal(stage.server->story(), "list 0, watch 10");
  });
}

// Mirrors TestReflectorWatchStoppedAfter, TestReflectorHandleWatchStoppedAfter.
BOOST_AUTO_TEST_CASE(a_stop_amid_a_quiet_watch_ends_the_cycle_and_asks_nothing_more) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    runtime::StopSource stop(runtime);
    stage.server->answer_list(listing("10"));
    const runtime::TimePoint start = runtime.now();
    const auto stopper = runtime::spawn(runtime, "stopper", [&] {
      runtime::sleep_for(runtime, 10ms);
      stop.stop();
    });
    expect(stage.reflector().list_and_watch(stop.token()).ok(), "a stop is no error");
    expect(runtime.now() - start == 10ms, "it costs no time");
    expect(stage.server->streams() == 1 && stage.server->all_streams_stopped(),
           "the only stream is stopped");
    expect_equal(stage.server->story(), "list 0, watch 10");
    stopper.join();
  });
}

// Mirrors TestReflectorHandleWatchStoppedBefore, …StoppedAfter, …ResultChanClosedBefore and
// …ResultChanClosedAfter.
BOOST_AUTO_TEST_CASE(a_watcher_is_stopped_exactly_once_however_its_stream_ends) {
  class Counting : public watch::RaceFreeFakeWatcher {
   public:
    using RaceFreeFakeWatcher::RaceFreeFakeWatcher;
    void stop(runtime::Location here) override {
      calls += "stop ";
      RaceFreeFakeWatcher::stop(here);
    }
    [[nodiscard]] const runtime::Channel<watch::Event>& result_channel() const override {
      calls += calls.ends_with("channel ") ? "" : "channel ";  // Each look asks for it.
      return RaceFreeFakeWatcher::result_channel();
    }
    void close_by_the_server() { RaceFreeFakeWatcher::stop(runtime::Location::current()); }
    mutable std::string calls;
  };
  for (const runtime::Duration after : {0ms, 10ms}) {
    for (const bool by_the_server : {true, false}) {
      holds_in_every_world([=](runtime::Runtime& runtime) {
        ReflectorStage stage(runtime);
        runtime::StopSource stop(runtime);
        const auto watcher = std::make_shared<Counting>(runtime);
        const auto end = [&] { by_the_server ? watcher->close_by_the_server() : stop.stop(); };
        stage.server->answer_list(listing("10"));
        stage.server->on_watch([&](const auto&, const auto&) {
          if (after == 0ms) {
            end();
          }
          return api::Result<WatcherPtr>(watcher);
        });
        const auto ender = runtime::spawn(runtime, "ender", [&] {
          runtime::sleep_for(runtime, 10ms);
          if (after > 0ms) {
            end();
          }
        });
        expect(stage.reflector().list_and_watch(stop.token()).ok(), "it is no error of the cycle");
        ender.join();
        expect_equal(watcher->calls, "channel stop ");
        expect_equal(stage.server->story(), "list 0, watch 10");
      });
    }
  }
}

BOOST_AUTO_TEST_CASE(a_run_that_is_stopped_beforehand_asks_nothing) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    stage.server->answer_list(listing("10"));
    runtime::StopSource stop(runtime);
    stop.stop();
    stage.reflector().run(stop.token());
    expect_equal(stage.server->story(), "");
  });
}

BOOST_AUTO_TEST_CASE(a_stop_abandons_a_list_that_hangs) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    stage.server->on_list([&](const auto&, const auto&) {
      runtime::sleep_for(runtime, 1h);
      return api::Result<api::ObjectList>(listing("10"));
    });
    const runtime::TimePoint start = runtime.now();
    stage.run_for(5s);
    expect(runtime.now() - start == 5s, "the run does not wait for the list");
    runtime::sleep_for(runtime, 1h);
    expect_equal(stage.store->minutes(), "");
  });
}

BOOST_AUTO_TEST_CASE(a_panic_of_the_list_leaves_the_run) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    stage.server->on_list([](const auto&, const auto&) -> api::Result<api::ObjectList> {
      throw runtime::Panic("from the list");
    });
    const runtime::StopSource stop(runtime);
    expect_panic([&] { stage.reflector().run(stop.token()); }, "from the list");
  });
}

BOOST_AUTO_TEST_CASE(a_panic_of_the_store_leaves_the_run_and_the_watcher_is_stopped) {
  class Fragile : public MinutesStore {
   public:
    api::Result<void> add(const cache::Item&) override { throw runtime::Panic("from the store"); }
  };
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    stage.made = std::make_unique<cache::Reflector>(runtime, stage.server,
                                                    std::make_shared<Fragile>(), stage.options);
    stage.server->answer_list(listing("10"));
    stage.server->stream({added("a", "11")});
    const runtime::StopSource stop(runtime);
    expect_panic([&] { stage.reflector().run(stop.token()); }, "from the store");
    expect(stage.server->all_streams_stopped(), "no stream is left open");
  });
}

// Mirrors TestReflectorResourceVersionUpdate.
BOOST_AUTO_TEST_CASE(a_store_that_wants_to_know_receives_each_revision) {
  class Updated : public MinutesStore, public cache::ResourceVersionUpdater {
   public:
    void update_resource_version(const std::string& resource_version) override {
      versions += resource_version + " ";
    }
    std::string versions;
  };
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    const auto store = std::make_shared<Updated>();
    stage.made = std::make_unique<cache::Reflector>(runtime, stage.server, store, stage.options);
    stage.server->answer_list(listing("10"));
    stage.server->stream(
        {added("a", "10"), modified("a", "12"), bookmark("20"), deleted("a", "21")});
    stage.run_for(1min);
    expect_equal(store->versions, "10 12 20 21 ");  // The first one is the list's, too.
    expect_equal(store->minutes(), "replace rv 10, add a@10, update a@12, remove a@21");
  });
}

BOOST_AUTO_TEST_CASE(an_event_that_the_store_refuses_is_lost_but_its_revision_counts) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    stage.store->refuse("update");
    stage.server->answer_list(listing("10"));
    stage.server->stream({modified("a", "11"), added("b", "12")});
    stage.run_for(1min);
    expect_equal(stage.store->minutes(), "replace rv 10, update a@11, add b@12");
    expect_equal(stage.server->story(), "list 0, watch 10");
  });
}

BOOST_AUTO_TEST_CASE(a_list_that_the_store_refuses_ends_the_cycle_and_does_not_count) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    stage.store->refuse("replace");
    stage.server->answer_list(listing("10"));
    runtime::StopSource stop(runtime);
    const api::Result<void> cycle = stage.reflector().list_and_watch(stop.token());
    expect(!cycle.ok(), "the cycle fails");
    expect_equal(stage.reflector().last_sync_resource_version(), "");
    expect_equal(stage.server->story(), "list 0");
  });
}

// A live bug of 0.32: synthetic events come in no order, and yet each sets the revision.
BOOST_AUTO_TEST_CASE(synthetic_events_of_a_watch_from_zero_move_the_revision_back) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    stage.server->answer_list(listing(""));
    stage.server->stream({added("new", "90"), added("old", "50")}, Ending::Closed);
    stage.run_for(1s);
    expect_equal(stage.server->story(), "list 0, watch latest, watch 50");
  });
}

// Mirrors TestGetTypeDescriptionFromObject.
BOOST_AUTO_TEST_CASE(the_type_is_described_by_what_is_known_of_it) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage bare(runtime);
    expect_equal(bare.reflector().type_description(), "<unspecified>");
    ReflectorStage typed(runtime);
    typed.options.api_version = "apps/v1";
    typed.options.kind = "Deployment";
    expect_equal(typed.reflector().type_description(), "apps/v1, Kind=Deployment");
    ReflectorStage delivered(runtime);
    delivered.options.kind = "Deployment";
    delivered.options.type_description = "deployments";
    expect_equal(delivered.reflector().type_description(), "deployments");
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
