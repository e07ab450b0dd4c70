// Streamed lists: the reflector of 0.35 and later. "E9" and so on are the experiments with the
// original that these numbers were measured in.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <utility>

#include "core/cache/cache.hpp"
#include "core/cache/delta_fifo.hpp"
#include "core/cache/real_fifo.hpp"
#include "sim/explore/explore.hpp"
#include "tests/core/cache/fake_source.hpp"
#include "tests/core/cache/queues.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(reflector_watch_list_test)

namespace {

/// A stage whose reflector asks for streamed lists.
struct StreamingStage : ReflectorStage {
  explicit StreamingStage(runtime::Runtime& runtime_in) : ReflectorStage(runtime_in) {
    options.streams_lists = true;
    options.resets_delay = true;
    options.ordered_versions = true;
  }

  /// What was asked for: "stream", "watch" and "list", each with its revision.
  [[nodiscard]] std::string asked() const {
    std::string text;
    for (const ScriptedServer::Request& request : server->requests()) {
      api::ListOptions options = request.options;
      const bool ends_by_lot = std::exchange(options.timeout_seconds, 0) >= 300;
      const api::ListOptions watch{.resource_version = options.resource_version,
                                   .allow_watch_bookmarks = true};
      api::ListOptions stream = watch;
      stream.resource_version_match = api::ResourceVersionMatch::NotOlderThan;
      stream.send_initial_events = true;
      const api::ListOptions list{.resource_version = options.resource_version, .limit = 500};
      expect(request.is_watch == ends_by_lot, "a watch has a drawn end, and a list has none");
      expect(options == list || options == watch || options == stream, "nothing else is asked for");
      expect(request.is_watch != (options == list), "each asks for its own");
      const char* const verb = options == list ? "list" : options == stream ? "stream" : "watch";
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", verb,
                          options.resource_version.empty() ? "latest" : options.resource_version);
    }
    return text;
  }
  /// One cycle, stopped after so long, which is no error of it.
  void cycle_for(runtime::Duration duration) {
    runtime::StopSource stop(runtime);
    const runtime::Task task = runtime::spawn(runtime, "cycle", [this, token = stop.token()] {
      expect(reflector().list_and_watch(token).ok(), "a stop is no error");
    });
    runtime::sleep_for(runtime, duration);
    stop.stop();
    task.join();
  }
};

}  // namespace

// Mirrors TestWatchList, the scenarios "the reflector is synced after the mark" and "updates and
// deletes while streaming".
BOOST_AUTO_TEST_CASE(a_list_is_collected_up_to_the_mark_and_its_stream_is_the_watch) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    StreamingStage stage(runtime);
    stage.server->stream({added("a", "3"), added("b", "2"), modified("a", "5"), deleted("b", "6"),
                          mark("7"), added("c", "8")});
    stage.cycle_for(1min);
    expect_equal(stage.asked(), "stream latest");
    expect_equal(stage.store->minutes(), "replace a@5 rv 7, add c@8");
    expect_equal(stage.reflector().last_sync_resource_version(), "8");
    expect(stage.server->all_streams_stopped(), "the stop closes the stream");
    expect(stage.server->requests().front().options.timeout_seconds < 600, "a drawn end");
  });
}

BOOST_AUTO_TEST_CASE(the_next_stream_asks_from_the_last_revision_and_a_watch_continues_it) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    StreamingStage stage(runtime);
    stage.server->stream({added("a", "3"), mark("7"), added("c", "8")}, Ending::Closed);
    stage.server->stream({added("d", "9"), error_event(api::StatusReason::Expired)});
    stage.server->stream({added("c", "8"), mark("10")});
    stage.run_for(1min);
    expect_equal(stage.asked(), "stream latest, watch 8, stream 9");
    expect_equal(stage.store->minutes(), "replace a@3 rv 7, add c@8, add d@9, replace c@8 rv 10");
  });
}

// Mirrors TestNewReflectorWithDisablementWatchList.
BOOST_AUTO_TEST_CASE(a_source_that_cannot_stream_is_not_asked_to) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const auto server = std::make_shared<ScriptedServer>(runtime);
    server->answer_list(listing("10"));
    for (const bool cannot : {false, true}) {
      const auto list = [server](const auto& stop, const auto& options) {
        return server->list(stop, options);
      };
      const auto watch = [server](const auto& stop, const auto& options) {
        return server->watch(stop, options);
      };
      const auto source = cache::with_options(
          std::make_shared<cache::ListWatch>(list, watch, cannot), [](api::ListOptions&) {});
      cache::Reflector reflector(runtime, source, std::make_shared<MinutesStore>(),
                                 {.streams_lists = true});
      const std::size_t before = server->requests().size();
      runtime::StopSource stop(runtime);
      const runtime::Task task =
          runtime::spawn(runtime, "reflector", [&] { reflector.run(stop.token()); });
      runtime::sleep_for(runtime, 1s);
      stop.stop();
      task.join();
      expect(server->requests().at(before).is_watch != cannot, "lists only where it must");
    }
  });
}

// E11, and TestWatchList "other errors fall back". The last one is TestCloseWatchChannelOnError's.
BOOST_AUTO_TEST_CASE(what_is_no_stream_is_followed_by_a_list_at_once) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    for (int how = 0; how < 5; ++how) {
      StreamingStage stage(runtime);
      stage.server->answer_list(listing("10", {object("p1", "1")}));
      if (how == 0) {
        stage.server->stream({}, Ending::Closed);
      } else if (how == 1) {
        stage.server->refuse_watch(status_error(api::StatusReason::Invalid));
      } else if (how == 2) {
        stage.server->refuse_watch(error_of_kind(api::ErrorKind::Other));
      } else if (how == 3) {
        stage.server->stream({added("a", "3"), error_event(api::StatusReason::InternalError)});
      } else {
        stage.server->stream({event(watch::EventType::Error, object("bar", "3"))});
      }
      stage.server->stream({added("p2", "11")});
      stage.cycle_for(1min);
      expect_equal(stage.asked(), "stream latest, list 0, watch 10");
      expect_equal(stage.store->minutes(), "replace p1@1 rv 10, add p2@11");
      expect(stage.server->requests()[1].at == stage.server->requests()[0].at, "without a pause");
      expect(stage.server->all_streams_stopped(), "the failed stream is stopped, too");
    }
  });
}

// Mirrors TestWatchList, the scenario "stopping before the sync": nothing of the first is kept.
BOOST_AUTO_TEST_CASE(a_stream_that_ends_before_its_mark_is_followed_by_one_from_nothing) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    StreamingStage stage(runtime);
    stage.server->stream({added("a", "3")}, Ending::Closed);
    stage.server->stream({added("b", "4"), mark("7")});
    stage.cycle_for(1min);
    expect_equal(stage.asked(), "stream latest, stream latest");
    expect_equal(stage.store->minutes(), "replace b@4 rv 7");
  });
}

// Mirrors TestWatchList, the scenario "expiring an established watcher".
BOOST_AUTO_TEST_CASE(a_later_watch_that_is_refused_as_expired_ends_the_cycle_with_that_error) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    StreamingStage stage(runtime);
    stage.server->stream({added("p1", "1"), mark("2"), added("p3", "3")}, Ending::Closed);
    stage.server->refuse_watch(status_error(api::StatusReason::Expired));
    const runtime::StopSource never(runtime);
    const api::Result<void> ended = stage.reflector().list_and_watch(never.token());
    expect(!ended.ok() && api::is_expired(ended.error()), "the cycle says why it ended");
    expect_equal(ended.error().message, "scripted");
    expect_equal(stage.asked(), "stream latest, watch 3");
    expect_equal(stage.store->minutes(), "replace p1@1 rv 2, add p3@3");
  });
}

// E9, M1, F1: live in 0.37. A millisecond a request: 10,001 requests in ten seconds, and no list.
BOOST_AUTO_TEST_CASE(a_stream_that_ends_before_its_mark_is_asked_for_again_without_a_pause) {
  const sim::ExploreResult played =
      sim::explore({.strategy = "fifo", .steps_max = 10'000'000}, [](runtime::Runtime& runtime) {
        StreamingStage stage(runtime);
        for (int i = 0; i < 10'002; ++i) {
          stage.server->on_watch([&](const auto&, const auto&) -> api::Result<WatcherPtr> {
            runtime::sleep_for(runtime, 1ms);
            const auto watcher = std::make_shared<watch::RaceFreeFakeWatcher>(runtime);
            watcher->action(added("a", "3"));
            watcher->stop();
            return WatcherPtr(watcher);
          });
        }
        stage.run_for(10s);
        const auto requests = stage.server->requests();
        expect_equal(static_cast<std::int64_t>(requests.size()), 10'001);
        expect(std::ranges::all_of(requests, &ScriptedServer::Request::is_watch), "no list");
        expect_equal(stage.store->minutes(), "");
        expect_equal(stage.reflector().last_sync_resource_version(), "");
      });
  BOOST_TEST(!played.failure.has_value(), (played.failure ? played.failure->sentence : ""));
}

// F2: live in 0.37. Mirrors TestRunUntil as well, whose stop comes before the mark.
BOOST_AUTO_TEST_CASE(a_stream_without_a_mark_keeps_the_store_waiting) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    for (const std::vector<watch::Event>& events : std::vector<std::vector<watch::Event>>{
             {}, {added("a", "3")}, {added("a", "3"), bookmark("4")}}) {
      StreamingStage stage(runtime);
      stage.server->stream(events);
      const runtime::TimePoint start = runtime.now();
      stage.cycle_for(5min);
      expect(runtime.now() - start == 5min, "the stop costs no time");
      expect(stage.server->all_streams_stopped(), "no stream is left open");
      expect(!stage.server->latest_stream().result_channel().receive().has_value(),
             "the channel is closed and empty");
      expect_equal(stage.asked(), "stream latest");
      expect_equal(stage.store->minutes(), "");
      expect_equal(stage.reflector().last_sync_resource_version(), "");
    }
  });
}

// E13, and TestWatchList "annotation value".
BOOST_AUTO_TEST_CASE(a_mark_with_another_value_is_a_bookmark_like_any_other) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    StreamingStage stage(runtime);
    stage.server->stream({added("a", "3"), mark("4", "false")});
    stage.cycle_for(1min);
    expect_equal(stage.asked(), "stream latest");
    expect_equal(stage.store->minutes(), "");
    expect_equal(stage.reflector().last_sync_resource_version(), "");
  });
}

BOOST_AUTO_TEST_CASE(a_refused_revision_is_given_up_for_the_latest_at_once) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    StreamingStage stage(runtime);
    stage.server->stream({mark("7"), error_event(api::StatusReason::Expired)});
    stage.server->refuse_watch(status_error(api::StatusReason::Expired));
    stage.server->stream({mark("2")});
    stage.run_for(1min);
    expect_equal(stage.asked(), "stream latest, stream 7, stream latest");
    const auto requests = stage.server->requests();
    expect(requests[2].at == requests[1].at, "without a pause");
    expect_equal(stage.reflector().last_sync_resource_version(), "2");
  });
}

// E10, TestWatchList "429 is retried": live in 0.37, the pause is not cut short by the stop.
BOOST_AUTO_TEST_CASE(a_busy_server_is_asked_again_after_a_pause_that_no_stop_cuts_short) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    for (const api::Error& error : {refused(), status_error(api::StatusReason::TooManyRequests)}) {
      StreamingStage stage(runtime);
      stage.server->refuse_watch(error);
      stage.server->refuse_watch(error);
      stage.server->stream({added("p1", "1"), mark("2")});
      stage.cycle_for(1min);
      expect_equal(stage.asked(), "stream latest, stream latest, stream latest");
      expect_equal(stage.store->minutes(), "replace p1@1 rv 2");
      const auto requests = stage.server->requests();
      expect(requests[1].at - requests[0].at >= 800ms, "the first pause");
      expect(requests[2].at - requests[1].at >= 1600ms, "the second one");
      expect(requests[2].at <= 10s, "both take ten seconds at most");

      // The original drew 22.1 s, and was stopped a second after its request.
      StreamingStage stopped(runtime);
      stopped.options.backoff = std::make_shared<wait::ExponentialBackoffManager>(
          runtime, wait::ExponentialBackoffOptions{.initial = 22'100ms, .jitter = 0.0});
      stopped.server->refuse_watch(error);
      const runtime::TimePoint start = runtime.now();
      stopped.run_for(1s);
      expect(runtime.now() - start == 22'100ms, "it ends 21.1 s after the stop");
      expect_equal(stopped.asked(), "stream latest");
    }
  });
}

// E3, M6: live in 0.30 to 0.37.
BOOST_AUTO_TEST_CASE(a_list_that_the_store_refuses_leaves_its_stream_open) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    StreamingStage stage(runtime);
    stage.server->answer_list(listing("10"));
    stage.server->stream({mark("7")});
    stage.store->refuse("replace rv 7");
    stage.run_for(1min);
    expect_equal(stage.asked(), "stream latest, list 0, watch 10");
    expect(!stage.server->all_streams_stopped(), "one of two is open");
    expect(stage.server->latest_stream().is_stopped(), "the other one");
  });
}

// E6. Mirrors TestReflectorRespectStoreTransformer: what is streamed twice, a later event once.
BOOST_AUTO_TEST_CASE(what_is_streamed_is_transformed_twice_and_what_is_listed_once) {
  enum class Kind : std::uint8_t { Atomic, InOrder, ByObject };
  const auto queued = [](runtime::Runtime& runtime, bool streams, Kind kind) {
    const FixedObjects nothing({});
    const auto server = std::make_shared<ScriptedServer>(runtime);
    server->answer_list(listing("7", {object("a", "3"), object("b", "4")}));
    if (streams) {
      server->stream({added("a", "3"), added("b", "4"), mark("7"), added("c", "8")});
    } else {
      server->stream({added("c", "8")});
    }
    int transformed = 0;
    const auto transform = [&](const api::ObjectPtr& given) -> api::Result<api::ObjectPtr> {
      ++transformed;
      return object(given->metadata.name, given->metadata.resource_version, {{"seen", "yes"}});
    };
    const bool is_atomic = kind == Kind::Atomic;
    std::shared_ptr<cache::Queue> queue = std::make_shared<cache::RealFIFO>(
        runtime, cache::RealFIFOOptions{.known_objects = is_atomic ? nullptr : &nothing,
                                        .transformer = transform,
                                        .atomic_events = is_atomic});
    if (kind == Kind::ByObject) {
      queue = std::make_shared<cache::DeltaFIFO>(
          runtime, cache::DeltaFIFOOptions{.emit_replaced = true, .transformer = transform});
    }
    cache::Reflector reflector(runtime, server, queue, {.streams_lists = streams});
    Running running(runtime, reflector);
    runtime::sleep_for(runtime, 1s);
    running.end();
    expect_equal(reflector.last_sync_resource_version(), "8");
    std::vector<std::string> texts;
    const auto note = [&](const api::ObjectPtr& each) {
      expect(each->metadata.labels.contains("seen"), "it is transformed");
      texts.push_back(text_of(each));
    };
    queue->close();
    for (int left = is_atomic ? 2 : 3; left > 0; --left) {
      (void)queue->pop([&](const cache::PopItem& item, bool) -> cache::Processed {
        const cache::Delta& delta = std::get<cache::Deltas>(item).back();
        if (delta.info != nullptr) {
          std::ranges::for_each(std::get<cache::ReplacedAllInfo>(*delta.info).objects, note);
        } else {
          note(cache::object_of(delta.object));
        }
        return {};
      });
    }
    return sorted(texts) + " " + std::to_string(transformed);
  };
  holds_in_every_world([&](runtime::Runtime& runtime) {
    for (const Kind kind : {Kind::Atomic, Kind::InOrder, Kind::ByObject}) {
      expect_equal(queued(runtime, true, kind), "a@3 | b@4 | c@8 5");
      expect_equal(queued(runtime, false, kind), "a@3 | b@4 | c@8 3");
    }
  });
}

// M3: ≤ 0.35 every event moved the revision; TestWatchListResourceVersion.
BOOST_AUTO_TEST_CASE(events_in_no_order_move_the_revision_only_of_older_machines) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    for (const bool ordered : {true, false}) {
      ReflectorStage stage(runtime);
      stage.options.ordered_versions = ordered;
      stage.server->answer_list(listing("0"));
      stage.server->stream({added("x", "9")}, Ending::Closed);
      stage.server->stream({added("x", "9"), modified("y", "5"), added("z", "10")});
      stage.run_for(1min);
      expect_equal(stage.server->story(),
                   ordered ? "list 0, watch 0, watch 0" : "list 0, watch 0, watch 9");
      expect_equal(stage.reflector().last_sync_resource_version(), "10");
    }
  });
}

// E4, M7: 40 to 42 lists in 12 minutes, where the original of before 0.36 had 22 in one run. Once
// with pauses of the mean length, and on the average of twenty draws.
BOOST_AUTO_TEST_CASE(pauses_that_start_again_every_two_minutes_ask_twice_as_often) {
  const auto lists_in_12_minutes = [](ReflectorStage& stage) {
    stage.server->answer_list(refused());
    stage.run_for(12min);
    return static_cast<std::int64_t>(stage.server->requests().size());
  };
  holds_in_every_world([&](runtime::Runtime& runtime) {
    for (const bool resets : {false, true}) {
      ReflectorStage mean(runtime);
      mean.options.backoff = std::make_shared<wait::ExponentialBackoffManager>(
          runtime, wait::ExponentialBackoffOptions{
                       .initial = 1'200ms, .cap = 45s, .since_start = resets, .jitter = 0.0});
      expect_equal(lists_in_12_minutes(mean), resets ? 42 : 21);
    }
  });
  const sim::ExploreResult played =
      sim::explore({.strategy = "fifo"}, [&](runtime::Runtime& runtime) {
        for (const bool resets : {false, true}) {
          double lists = 0;
          for (int i = 0; i < 20; ++i) {
            ReflectorStage drawn(runtime);
            drawn.options.resets_delay = resets;
            lists += static_cast<double>(lists_in_12_minutes(drawn)) / 20;
          }
          expect(resets ? lists >= 39 && lists <= 42 : lists >= 20 && lists <= 22,
                 "on the average as in the original, not " + std::to_string(lists));
        }
      });
  BOOST_TEST(!played.failure.has_value(), (played.failure ? played.failure->sentence : ""));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
