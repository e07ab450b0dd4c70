// The constants of the original that a server sees: when it is asked again, and for what.
#include <boost/test/unit_test.hpp>
#include <set>

#include "tests/core/cache/scripted_server.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(requests_test)

namespace {

/// The pauses between requests, which no answer took time.
std::vector<runtime::Duration> pauses_of(const ScriptedServer& server) {
  std::vector<runtime::Duration> pauses;
  const auto requests = server.requests();
  for (std::size_t i = 1; i < requests.size(); ++i) {
    pauses.push_back(requests[i].at - requests[i - 1].at);
  }
  return pauses;
}

/// Each pause is stretched by up to its own length: 0.8 s, 1.6 s … 25.6 s, then 30 s each time.
void expect_backoff(const std::vector<runtime::Duration>& pauses) {
  runtime::Duration nominal = 800ms;
  for (const runtime::Duration pause : pauses) {
    expect(nominal <= pause && pause < 2 * nominal,
           fmt::format("a pause of {} ms is one of {} to {} ms", pause / 1ms, nominal / 1ms,
                       2 * nominal / 1ms));
    nominal = std::min<runtime::Duration>(2 * nominal, 30s);
  }
}

runtime::Duration sum_of(const std::vector<runtime::Duration>& pauses, std::size_t from) {
  runtime::Duration sum{};
  for (std::size_t i = from; i < pauses.size(); ++i) {
    sum += pauses[i];
  }
  return sum;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_reflector_refused_for_ten_minutes_asks_at_the_moments_of_its_backoff) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    stage.server->answer_list(refused());
    stage.run_for(10min);
    const auto pauses = pauses_of(*stage.server);
    // Six pauses take 50.4 to 100.8 s, each further one 30 to 60 s.
    expect(14 <= pauses.size() && pauses.size() <= 24, "as many requests as ten minutes allow");
    expect_backoff(pauses);
  });
}

BOOST_AUTO_TEST_CASE(the_jitter_is_spread_evenly_over_a_whole_pause) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    stage.server->answer_list(refused());
    stage.run_for(10h);
    const auto pauses = pauses_of(*stage.server);
    constexpr std::size_t at_cap = 6;
    const runtime::Duration mean =
        sum_of(pauses, at_cap) / static_cast<std::int64_t>(pauses.size() - at_cap);
    // 45 s is to be expected; of some 800 pauses the mean strays by 0.3 s at one sigma.
    expect(43s < mean && mean < 47s, fmt::format("the mean pause is {} ms", mean / 1ms));
    expect(*std::ranges::min_element(pauses.begin() + at_cap, pauses.end()) < 32s, "short ones");
    expect(*std::ranges::max_element(pauses) > 58s, "long ones");
  });
}

BOOST_AUTO_TEST_CASE(a_failure_more_than_two_minutes_after_the_last_one_starts_a_new_series) {
  const auto pause_after = [](runtime::Duration quiet, runtime::Duration low) {
    holds_in_every_world([=](runtime::Runtime& runtime) {
      ReflectorStage stage(runtime);
      stage.server->answer_list(listing("10"));
      stage.server->refuse_watch(refused());
      stage.server->refuse_watch(refused());
      stage.server->stream_for(quiet);
      stage.server->refuse_watch(refused());
      stage.run_for(10min);
      // The third pause, counted from the refusal at its beginning.
      const runtime::Duration pause = pauses_of(*stage.server).at(4);
      expect(low <= pause && pause < 2 * low, fmt::format("a pause of {} ms", pause / 1ms));
    });
  };
  // The pause before the stream, of 1.6 to 3.2 s, counts for the two minutes.
  pause_after(2min, 800ms);
  pause_after(2min - 4s, 3200ms);
}

BOOST_AUTO_TEST_CASE(watches_ask_for_every_timeout_from_300_to_599_seconds) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    stage.options.min_watch_timeout = 1min;
    stage.server->answer_list(listing("10"));
    for (int i = 0; i < 300; ++i) {
      stage.server->stream({bookmark("10")}, Ending::Closed);
    }
    stage.run_for(1s);
    std::set<std::int64_t> asked;
    for (const ScriptedServer::Request& request : stage.server->requests()) {
      if (request.is_watch) {
        asked.insert(request.options.timeout_seconds);
      }
    }
    expect(300 <= *asked.begin() && *asked.rbegin() < 600, "none lies outside");
    expect(*asked.begin() < 310 && *asked.rbegin() >= 590, "and they reach both ends");
  });
}

BOOST_AUTO_TEST_CASE(a_longer_minimum_is_taken_up_to_its_double) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    stage.options.min_watch_timeout = 20min;
    stage.server->answer_list(listing("10"));
    for (int i = 0; i < 50; ++i) {
      stage.server->stream({bookmark("10")}, Ending::Closed);
    }
    stage.run_for(1s);
    for (const ScriptedServer::Request& request : stage.server->requests()) {
      const std::int64_t asked = request.options.timeout_seconds;
      expect(!request.is_watch || (1200 <= asked && asked < 2400), "between v and 2v");
    }
  });
}

BOOST_AUTO_TEST_CASE(a_watch_without_events_is_very_short_up_to_a_second) {
  const auto after = [](runtime::Duration life, std::string_view story) {
    holds_in_every_world([=](runtime::Runtime& runtime) {
      ReflectorStage stage(runtime);
      stage.server->answer_list(listing("10"));
      stage.server->stream_for(life);
      stage.run_for(10s);
      expect_equal(stage.server->story(), story);
    });
  };
  after(1s - 1ns, "list 0, watch 10, list 10, watch 10");
  after(1s, "list 0, watch 10, watch 10");
}

BOOST_AUTO_TEST_CASE(lists_ask_for_pages_of_500) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    stage.server->answer_list(listing("10"));
    stage.run_for(1s);
    expect_equal(stage.server->requests().front().options.limit, 500);
  });
}

BOOST_AUTO_TEST_CASE(internal_errors_are_retried_for_the_given_time_and_not_at_all_without_one) {
  const auto watches_within = [](runtime::Duration allowed) {
    std::size_t watches = 0;
    holds_in_every_world([&](runtime::Runtime& runtime) {
      ReflectorStage stage(runtime);
      stage.options.max_internal_error_retry_duration = allowed;
      stage.server->answer_list(listing("10"));
      for (int i = 0; i < 100; ++i) {
        stage.server->on_watch([&](const auto&, const auto&) {
          runtime::sleep_for(runtime, 10s);
          auto watcher = std::make_shared<watch::RaceFreeFakeWatcher>(runtime);
          watcher->action(error_event(api::StatusReason::InternalError));
          return api::Result<WatcherPtr>(watcher);
        });
      }
      stage.run_for(55s);
      // Up to the second list.
      const std::string story = stage.server->story();
      const std::string first_cycle = story.substr(0, story.find("list 10"));
      watches = 0;
      for (std::size_t at = 0; (at = first_cycle.find("watch", at)) != std::string::npos; ++at) {
        ++watches;
      }
    });
    return watches;
  };
  BOOST_TEST(watches_within(0s) == 1U);
  // Errors at 10, 20, 30 and 40 s; the fourth lies 30 s after the first.
  BOOST_TEST(watches_within(29s) == 4U);
  BOOST_TEST(watches_within(20s) == 4U);
  BOOST_TEST(watches_within(19s) == 3U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
