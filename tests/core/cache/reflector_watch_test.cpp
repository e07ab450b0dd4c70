#include <boost/test/unit_test.hpp>

#include "tests/core/cache/scripted_server.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(reflector_watch_test)

namespace {

using api::StatusReason;

/// The times between requests, in order.
std::vector<runtime::Duration> gaps(const ScriptedServer& server) {
  std::vector<runtime::Duration> between;
  const auto requests = server.requests();
  for (std::size_t i = 1; i < requests.size(); ++i) {
    between.push_back(requests[i].at - requests[i - 1].at);
  }
  return between;
}

void expect_within(runtime::Duration value, runtime::Duration low, runtime::Duration high,
                   runtime::Location here = runtime::Location::current()) {
  expect(low <= value && value < high,
         fmt::format("{} ns lies in [{}, {}) ns", value.count(), low.count(), high.count()), here);
}

/// How often a watch whose every stream fails with an internal error after a second is tried again
/// before the cycle ends. The `late`th of them comes a minute late.
std::int64_t retries_of_internal_errors(runtime::Runtime& runtime, runtime::Duration allowed,
                                        int late) {
  ReflectorStage stage(runtime);
  stage.options.max_internal_error_retry_duration = allowed;
  stage.server->answer_list(listing("1"));
  int opened = 0;
  for (int i = 0; i < 100; ++i) {
    stage.server->on_watch([&](const auto&, const auto&) {
      runtime::sleep_for(runtime, ++opened == late ? runtime::Duration(61s) : 1s);
      auto watcher = std::make_shared<watch::RaceFreeFakeWatcher>(runtime);
      watcher->action(error_event(StatusReason::InternalError));
      return api::Result<WatcherPtr>(watcher);
    });
  }
  const runtime::StopSource never(runtime);
  expect(stage.reflector().list_and_watch(never.token()).ok(), "it is no error of the cycle");
  std::string expected = "list 0";
  for (int i = 0; i < opened; ++i) {
    expected += ", watch 1";
  }
  expect_equal(stage.server->story(), expected);
  return opened - 1;
}

}  // namespace

// Mirrors TestReflectorHandleWatchResultChanClosedAfter.
BOOST_AUTO_TEST_CASE(a_stream_with_an_event_is_followed_by_a_watch_at_once) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    stage.server->answer_list(listing("10"));
    stage.server->stream({added("a", "11")}, Ending::Closed);
    stage.server->stream({bookmark("25")}, Ending::Closed);
    stage.run_for(100ms);
    expect_equal(stage.server->story(), "list 0, watch 10, watch 11, watch 25");
  });
}

BOOST_AUTO_TEST_CASE(a_quiet_stream_that_lived_a_second_is_followed_by_a_watch_at_once) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    stage.server->answer_list(listing("10"));
    stage.server->stream_for(1s);
    stage.run_for(1100ms);
    expect_equal(stage.server->story(), "list 0, watch 10, watch 10");
  });
}

// Mirrors TestReflectorHandleWatchResultChanClosedBefore.
BOOST_AUTO_TEST_CASE(a_very_short_watch_costs_a_pause_and_a_list) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    stage.server->answer_list(listing("10"));
    stage.server->stream_for(999ms);
    stage.run_for(10s);
    expect_equal(stage.server->story(), "list 0, watch 10, list 10, watch 10");
    expect_within(gaps(*stage.server)[1], 999ms + 800ms, 999ms + 1600ms);
  });
}

// Mirrors TestReflectorListAndWatchInitConnBackoff.
BOOST_AUTO_TEST_CASE(a_refused_watch_is_tried_again_after_growing_pauses_without_a_list) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    stage.server->answer_list(listing("10"));
    for (int i = 0; i < 4; ++i) {
      stage.server->refuse_watch(refused());
    }
    stage.cycle_until_stopped();
    expect_equal(stage.server->story(), "list 0, watch 10, watch 10, watch 10, watch 10, watch 10");
    const auto between = gaps(*stage.server);
    expect_within(between[1], 800ms, 1600ms);
    expect_within(between[2], 1600ms, 3200ms);
    expect_within(between[3], 3200ms, 6400ms);
    expect_within(between[4], 6400ms, 12800ms);
  });
}

// Mirrors TestReflectorListAndWatchInitConnBackoff, forty refusals.
BOOST_AUTO_TEST_CASE(the_pauses_of_a_refused_watch_stay_at_the_cap) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    stage.server->answer_list(listing("10"));
    for (int i = 0; i < 40; ++i) {
      stage.server->refuse_watch(refused());
    }
    stage.run_for(1h);
    const auto between = gaps(*stage.server);
    expect_equal(between.size(), 41U);  // The list, 41 watches, and nothing more.
    runtime::Duration nominal = 800ms;
    for (std::size_t i = 1; i < between.size(); ++i) {
      expect_within(between[i], nominal, 2 * nominal);
      nominal = std::min<runtime::Duration>(2 * nominal, 30s);
    }
  });
}

// Mirrors TestReflectorListAndWatchInitConnBackoff, its list side.
BOOST_AUTO_TEST_CASE(a_refused_list_is_tried_again_after_pauses_that_grow_to_half_a_minute) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    stage.server->answer_list(refused());
    stage.run_for(10min);
    const auto between = gaps(*stage.server);
    expect(between.size() >= 14, "ten minutes are enough for the pauses to reach the cap");
    runtime::Duration nominal = 800ms;
    for (const runtime::Duration gap : between) {
      expect_within(gap, nominal, 2 * nominal);
      nominal = std::min<runtime::Duration>(2 * nominal, 30s);
    }
    for (const ScriptedServer::Request& request : stage.server->requests()) {
      expect_equal(request.options.resource_version, "0");
    }
  });
}

BOOST_AUTO_TEST_CASE(the_pauses_start_again_after_two_quiet_minutes) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    stage.server->answer_list(listing("10"));
    for (int i = 0; i < 5; ++i) {
      stage.server->refuse_watch(refused());
    }
    stage.server->stream_for(3min);
    stage.server->refuse_watch(refused());
    stage.run_for(10min);
    const auto requests = stage.server->requests();
    expect_equal(requests.size(), 9U);
    expect_within(requests[8].at - requests[7].at, 800ms, 1600ms);
  });
}

BOOST_AUTO_TEST_CASE(the_pauses_continue_growing_after_less_than_two_quiet_minutes) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    stage.server->answer_list(listing("10"));
    stage.server->refuse_watch(refused());
    stage.server->stream_for(100s);
    stage.server->refuse_watch(refused());
    stage.run_for(10min);
    const auto requests = stage.server->requests();
    expect_within(requests[4].at - requests[3].at, 1600ms, 3200ms);
  });
}

// Mirrors TestBackoffOnTooManyRequests.
BOOST_AUTO_TEST_CASE(a_throttled_watch_pauses_and_is_tried_again_without_a_list) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    stage.server->answer_list(listing("10"));
    stage.server->refuse_watch(status_error(StatusReason::TooManyRequests));
    stage.server->stream({error_event(StatusReason::TooManyRequests)});
    stage.cycle_until_stopped();
    expect_equal(stage.server->story(), "list 0, watch 10, watch 10, watch 10");
    expect_within(gaps(*stage.server)[1], 800ms, 1600ms);
    expect_within(gaps(*stage.server)[2], 1600ms, 3200ms);
  });
}

// Mirrors TestNoRelistOnTooManyRequests.
BOOST_AUTO_TEST_CASE(throttling_again_and_again_never_leads_to_a_list) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    stage.server->answer_list(listing("10"));
    for (int i = 0; i < 4; ++i) {
      stage.server->refuse_watch(status_error(StatusReason::TooManyRequests));
    }
    stage.cycle_until_stopped();
    expect_equal(stage.server->story(), "list 0, watch 10, watch 10, watch 10, watch 10, watch 10");
  });
}

BOOST_AUTO_TEST_CASE(a_410_in_the_stream_costs_one_pause_and_a_list_at_the_last_revision) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    stage.server->answer_list(listing("10"));
    stage.server->stream({added("a", "11"), error_event(StatusReason::Expired)});
    stage.run_for(1min);
    expect_equal(stage.server->story(), "list 0, watch 10, list 11, watch 10");
    expect_within(gaps(*stage.server)[1], 800ms, 1600ms);
  });
}

BOOST_AUTO_TEST_CASE(any_other_answer_to_a_watch_leads_to_a_list_at_the_last_revision) {
  for (const api::Error& error :
       {status_error(StatusReason::Expired), status_error(StatusReason::Forbidden),
        status_error(StatusReason::InternalError), error_of_kind(api::ErrorKind::Eof),
        error_of_kind(api::ErrorKind::UnexpectedEof), error_of_kind(api::ErrorKind::Timeout)}) {
    holds_in_every_world([&error](runtime::Runtime& runtime) {
      ReflectorStage stage(runtime);
      stage.server->answer_list(listing("10"));
      stage.server->refuse_watch(error);
      stage.run_for(10s);
      expect_equal(stage.server->story(), "list 0, watch 10, list 10, watch 10");
    });
  }
}

// Mirrors TestReflectorReplacesStoreOnUnsafeDelete: what the list has no more goes, the rest stays.
BOOST_AUTO_TEST_CASE(a_corrupt_object_that_was_deleted_leaves_the_store_with_the_next_list) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    const std::vector<api::ObjectPtr> stays{object("foo-1", "1"), object("foo-2", "2")};
    stage.server->answer_list(listing("3", stays));
    stage.server->answer_list(listing("5", stays));
    stage.server->stream({added("foo", "4"), error_event(StatusReason::StorageReadError)});
    stage.run_for(10s);
    expect_equal(stage.server->story(), "list 0, watch 3, list 4, watch 5");
    expect_equal(stage.store->minutes(),
                 "replace foo-1@1 foo-2@2 rv 3, add foo@4, replace foo-1@1 foo-2@2 rv 5");
    expect_equal(stage.reflector().last_sync_resource_version(), "5");
    expect(stage.server->all_streams_stopped(), "no stream is left open");
  });
}

BOOST_AUTO_TEST_CASE(any_other_error_in_the_stream_leads_to_a_list_at_the_last_revision) {
  for (const StatusReason reason :
       {StatusReason::StorageReadError, StatusReason::Gone, StatusReason::Forbidden}) {
    holds_in_every_world([reason](runtime::Runtime& runtime) {
      ReflectorStage stage(runtime);
      stage.server->answer_list(listing("10"));
      stage.server->stream({added("a", "11"), error_event(reason)});
      stage.run_for(10s);
      expect_equal(stage.server->story(), "list 0, watch 10, list 11, watch 10");
      expect_equal(stage.store->minutes(), "replace rv 10, add a@11, replace rv 10");
    });
  }
}

// Mirrors TestRetryInternalError.
BOOST_AUTO_TEST_CASE(internal_errors_lead_to_a_list_unless_retries_are_asked_for) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    stage.server->answer_list(listing("10"));
    stage.server->stream({error_event(StatusReason::InternalError)});
    stage.run_for(10s);
    expect_equal(stage.server->story(), "list 0, watch 10, list 10, watch 10");
  });
}

// Mirrors TestRetryInternalError, its three rows.
BOOST_AUTO_TEST_CASE(internal_errors_are_retried_until_the_first_one_lies_too_far_back) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    expect_equal(retries_of_internal_errors(runtime, 0s, 0), 0);
    expect_equal(retries_of_internal_errors(runtime, 30s, 0), 31);
    expect_equal(retries_of_internal_errors(runtime, 30s, 10), 40);
  });
}

// Mirrors TestRetryInternalError.
BOOST_AUTO_TEST_CASE(internal_errors_within_the_time_asked_for_lead_to_a_watch_at_once) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    stage.options.max_internal_error_retry_duration = 1s;
    stage.server->answer_list(listing("10"));
    for (int i = 0; i < 3; ++i) {
      stage.server->stream({error_event(StatusReason::InternalError)});
    }
    stage.server->on_watch([&](const auto&, const auto&) {
      runtime::sleep_for(runtime, 2s);
      auto watcher = std::make_shared<watch::RaceFreeFakeWatcher>(runtime);
      watcher->action(error_event(StatusReason::InternalError));
      return api::Result<WatcherPtr>(watcher);
    });
    stage.run_for(10s);
    expect_equal(stage.server->story(),
                 "list 0, watch 10, watch 10, watch 10, watch 10, list 10, watch 10");
    expect(gaps(*stage.server)[2] == 0s, "a retry costs no time");
  });
}

// Mirrors TestWatchTimeout.
BOOST_AUTO_TEST_CASE(a_watch_asks_for_a_timeout_of_five_to_ten_minutes_or_more) {
  const auto timeouts_lie_in = [](bool streams, runtime::Duration asked, std::int64_t low,
                                  std::int64_t high) {
    holds_in_every_world([=](runtime::Runtime& runtime) {
      ReflectorStage stage(runtime);
      stage.options.streams_lists = streams;
      stage.options.min_watch_timeout = asked;
      stage.server->answer_list(listing("10"));
      for (int i = 0; i < 20; ++i) {
        stage.server->stream({bookmark("10")}, Ending::Closed);
      }
      stage.run_for(1s);
      std::int64_t least = high;
      std::int64_t most = 0;
      for (const ScriptedServer::Request& request : stage.server->requests()) {
        if (request.is_watch) {
          least = std::min(least, request.options.timeout_seconds);
          most = std::max(most, request.options.timeout_seconds);
        }
      }
      expect(low <= least && most < high, fmt::format("[{}, {}] is out of range", least, most));
      expect(most - least > (high - low) / 3, "the timeouts are spread");
    });
  };
  for (const bool streams : {false, true}) {
    timeouts_lie_in(streams, 0s, 300, 600);
    timeouts_lie_in(streams, 4min, 300, 600);
    timeouts_lie_in(streams, 10min, 600, 1200);
  }
}

// Mirrors TestNewReflectorWithCustomBackoff.
BOOST_AUTO_TEST_CASE(the_pauses_can_be_given) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    stage.options.backoff = std::make_shared<wait::JitteredBackoffManager>(runtime, 10s, 0.0);
    stage.server->answer_list(refused());
    stage.run_for(35s);
    expect_equal(stage.server->story(), "list 0, list 0, list 0, list 0");
  });
  holds_in_every_world([](runtime::Runtime& runtime) {
    for (const bool streams : {false, true}) {
      ReflectorStage stage(runtime);
      stage.options.streams_lists = streams;
      stage.options.backoff = std::make_shared<wait::ExponentialBackoffManager>(
          runtime, wait::ExponentialBackoffOptions{.initial = 10ms, .cap = 100ms, .jitter = 0.0});
      stage.server->answer_list(listing("1"));
      for (int i = 0; i < 5; ++i) {
        stage.server->refuse_watch(refused());
      }
      stage.cycle_until_stopped();
      std::string expected = streams ? "watch latest" : "list 0, watch 1";
      for (int i = 0; i < 5; ++i) {
        expected += streams ? ", watch latest" : ", watch 1";
      }
      expect_equal(stage.server->story(), expected);
      const auto requests = stage.server->requests();
      expect(requests.back().at - requests[streams ? 0 : 1].at == 250ms, "10, 20, 40, 80, 100 ms");
    }
  });
}

BOOST_AUTO_TEST_CASE(a_stop_during_a_pause_ends_the_run_at_once) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    stage.server->answer_list(listing("10"));
    for (int i = 0; i < 100; ++i) {
      stage.server->refuse_watch(refused());
    }
    const runtime::TimePoint start = runtime.now();
    stage.run_for(5min);
    expect(runtime.now() - start == 5min, "the stop costs no time");
  });
}

BOOST_AUTO_TEST_CASE(a_stop_while_a_watch_is_being_opened_is_no_failure) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    stage.server->answer_list(listing("10"));
    stage.server->on_watch(
        [&runtime](const runtime::StopToken& stop, const auto&) -> api::Result<WatcherPtr> {
          stop.done(runtime).receive();
          return error_of_kind(api::ErrorKind::Cancelled);
        });
    int failures = 0;
    stage.options.watch_error_handler = [&failures](cache::Reflector&, const api::Error&) {
      ++failures;
    };
    stage.run_for(1min);
    expect_equal(stage.server->story(), "list 0, watch 10");
    expect_equal(failures, 0);
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
