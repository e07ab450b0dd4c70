// The bugs that live in client-go 0.37, each as a story of twelve lines; docs/known_live.md quotes
// them. A case that holds shows the bug.
#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "core/cache/real_fifo.hpp"
#include "sim/explore/explore.hpp"
#include "tests/core/cache/queues.hpp"
#include "tests/core/cache/shared_informer_stage.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(upstream_test)

namespace {

const features::ReleaseProfile& modern() { return *features::find_machine("modern"); }

features::ReleaseProfile modern_with_lists() {
  features::ReleaseProfile machine = modern();
  machine.streams_lists = false;
  return machine;
}

/// Today's reflector between a scripted server and a store that keeps minutes.
struct Today : ReflectorStage {
  explicit Today(runtime::Runtime& runtime_in) : ReflectorStage(runtime_in) {
    options = cache::reflector_of(modern(), {});
  }
};

/// A stream, a millisecond after its request, of one object and an orderly end.
ScriptedServer::WatchAnswer one_object_and_an_end(runtime::Runtime& runtime) {
  return [&runtime](const auto&, const auto&) -> api::Result<WatcherPtr> {
    runtime::sleep_for(runtime, 1ms);
    const auto watcher = std::make_shared<watch::RaceFreeFakeWatcher>(runtime);
    watcher->action(added("a", "3"));
    watcher->stop();
    return WatcherPtr(watcher);
  };
}

/// So long after the request before each request came, in seconds.
std::vector<double> gaps(const ScriptedServer& server) {
  std::vector<double> gaps;
  const auto requests = server.requests();
  for (std::size_t i = 1; i < requests.size(); ++i) {
    gaps.push_back(std::chrono::duration<double>(requests[i].at - requests[i - 1].at).count());
  }
  return gaps;
}

/// Plays it once, undisturbed.
void plays(const Body& body) {
  const sim::ExploreResult played =
      sim::explore({.strategy = "fifo", .steps_max = 10'000'000}, body);
  BOOST_TEST(!played.failure.has_value(), (played.failure ? played.failure->sentence : ""));
}

}  // namespace

BOOST_AUTO_TEST_CASE(m1_streamed_lists_without_a_mark_are_asked_for_without_a_pause) {
  plays([](runtime::Runtime& runtime) {
    Today today(runtime);
    for (int i = 0; i < 2'000; ++i) {
      today.server->on_watch(one_object_and_an_end(runtime));
    }
    today.run_for(1s);
    expect_equal(static_cast<int>(today.server->requests().size()), 1'001);
    expect(today.server->story().find("list") == std::string::npos, "it never falls back to LIST");
    expect_equal(today.store->minutes(), "");
  });
}

BOOST_AUTO_TEST_CASE(m5_one_object_without_a_key_empties_a_whole_list) {
  plays([](runtime::Runtime& runtime) {
    const auto server = std::make_shared<ScriptedServer>(runtime);
    server->answer_list(listing("10", {object("a", "1"), object("b", "2")}));
    const cache::Informer informer = cache::new_informer_with_options(
        runtime, {.lister_watcher = server,
                  .handler = std::make_shared<MinutesHandler>(),
                  .transform = [](const api::ObjectPtr& object) -> api::Result<api::ObjectPtr> {
                    return object->metadata.name == "a" ? nullptr : object;  // no object at all
                  },
                  .machine = modern_with_lists()});
    Running running(runtime, *informer.controller);
    runtime::sleep_for(runtime, 10min);
    expect(informer.controller->has_synced() && informer.store->list().empty(), "synced and empty");
    expect_equal(server->story(), "list 0, watch 10");
    running.end();
  });
}

BOOST_AUTO_TEST_CASE(m6_a_streamed_list_that_the_store_refuses_leaves_its_stream_open) {
  plays([](runtime::Runtime& runtime) {
    Today today(runtime);
    today.server->stream({mark("7")});
    today.server->answer_list(listing("10"));
    today.store->refuse("replace rv 7");
    today.run_for(1min);
    expect_equal(today.server->story(), "watch latest, list 0, watch 10");
    expect(today.server->latest_stream().is_stopped(), "the second stream is stopped");
    expect(!today.server->all_streams_stopped(), "no task ever stops the first one");
  });
}

BOOST_AUTO_TEST_CASE(m7_pauses_start_again_every_two_minutes_of_an_outage) {
  plays([](runtime::Runtime& runtime) {
    Today today(runtime);
    today.options.streams_lists = false;
    today.server->answer_list(refused());
    today.run_for(12min);
    const auto long_gap = [](double seconds) { return seconds >= 25.6; };
    const std::vector<double> pauses = gaps(*today.server);
    const auto longest = std::ranges::find_if(pauses, long_gap);
    const auto again = std::find_if_not(longest, pauses.end(), long_gap);
    expect(again != pauses.end() && *again < 1.7, "after half a minute or more, a second");
    expect(pauses.size() >= 38, "about 40 requests, not 22");
  });
}

BOOST_AUTO_TEST_CASE(m8_a_stop_waits_for_the_pause_before_a_streamed_list) {
  plays([](runtime::Runtime& runtime) {
    Today today(runtime);
    today.options.backoff = std::make_shared<wait::ExponentialBackoffManager>(
        runtime, wait::ExponentialBackoffOptions{.initial = 30s});
    today.server->refuse_watch(status_error(api::StatusReason::TooManyRequests));
    const runtime::TimePoint start = runtime.now();
    today.run_for(1s);
    expect(runtime.now() - start >= 30s, "it ends when the pause is over, not at its stop");
  });
}

BOOST_AUTO_TEST_CASE(m9_what_was_popped_before_the_first_list_counts_as_one_of_it) {
  plays([](runtime::Runtime& runtime) {
    cache::RealFIFO queue(
        runtime,
        {.atomic_events = true, .unlock_while_processing = true, .emit_delta_type_bookmark = true});
    expect_ok(queue.bookmark("1"));
    expect_ok(queue
                  .pop([&](const cache::PopItem&, bool) -> cache::Processed {
                    return replace(queue, {object("a", "2")});  // the queue is unlocked meanwhile
                  })
                  .outcome);
    expect(queue.has_synced(), "and the list is still queued");
  });
}

BOOST_AUTO_TEST_CASE(
    m10_a_handler_that_removes_itself_while_its_informer_stops_waits_indefinitely) {
  fails_somewhere(
      [](runtime::Runtime& runtime) {
        SharedInformerStage stage(runtime);
        cache::RegistrationPtr itself;
        itself = stage.join(cache::make_handler({.add = [&](const auto&, bool) {
          runtime::sleep_for(runtime, 10s);
          (void)stage.informer().remove_event_handler(itself);
        }}));
        stage.source->put("a");
        stage.start();
        stage.settle(5s);
        stage.end();
      },
      "deadlock", "listeners");
}

BOOST_AUTO_TEST_CASE(m17_a_panic_delays_the_next_notification_by_a_second_whenever_it_comes) {
  plays([](runtime::Runtime& runtime) {
    SharedInformerStage stage(runtime);
    stage.options.machine = *features::find_machine("0.33");
    stage.options.crash_on_panic = false;
    std::vector<runtime::TimePoint> calls;
    stage.join(cache::make_handler({.add = [&](const auto&, bool) {
      calls.push_back(runtime.now());
      if (calls.size() == 1) {
        throw runtime::Panic("the first call");
      }
    }}));
    stage.start();
    stage.settle(10s);
    stage.source->put("a");
    stage.settle(1min);
    stage.source->put("b");
    stage.settle();
    expect(calls.at(1) - calls.at(0) == 61s, "a minute later, and a second");
    stage.end();
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
