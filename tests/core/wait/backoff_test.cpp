#include "core/wait/backoff.hpp"

#include <fmt/format.h>

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <string>
#include <vector>

#include "core/runtime/task.hpp"
#include "tests/support/campaign.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(backoff_test)

namespace {

using namespace std::chrono_literals;

/// The next delays in seconds, separated by blanks.
std::string steps_of(wait::Backoff backoff, runtime::Random& random, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    const std::chrono::duration<double> delay = backoff.step(random);
    text += fmt::format("{}{}", text.empty() ? "" : " ", delay.count());
  }
  return text;
}

/// The next delays of a manager in seconds, a blank behind each.
std::string delays_of(wait::BackoffManager& manager, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += fmt::format("{} ", manager.next() / 1s);
  }
  return text;
}

}  // namespace

// Mirrors TestBackoff_Step.
BOOST_AUTO_TEST_CASE(a_backoff_grows_by_its_factor_while_it_has_steps) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    runtime::Random random(runtime, "test");
    expect_equal(steps_of({}, random, 4), "0 0 0 0");
    expect_equal(steps_of({.duration = 7s}, random, 3), "7 7 7");
    expect_equal(steps_of({.duration = 1s, .steps = -1}, random, 3), "1 1 1");
    expect_equal(steps_of({.duration = 1s, .factor = 1.0, .steps = 1}, random, 3), "1 1 1");
    expect_equal(steps_of({.duration = 1s, .factor = 2.0}, random, 3), "1 1 1");
    expect_equal(steps_of({.duration = 1s, .factor = 2.0, .steps = 3}, random, 5), "1 2 4 8 8");
    expect_equal(steps_of({.duration = 1s, .steps = 1}, random, 3), "1 1 1");
    expect_equal(steps_of({.duration = 1s, .steps = 3}, random, 3), "1 1 1");
    expect_equal(steps_of({.duration = 1s, .factor = 0.5, .steps = 2}, random, 3), "1 0.5 0.25");
  });
}

// Mirrors TestBackoff_Step.
BOOST_AUTO_TEST_CASE(a_backoff_stays_at_its_cap) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    runtime::Random random(runtime, "test");
    expect_equal(steps_of({.duration = 1s, .factor = 4.0, .steps = 9, .cap = 5s}, random, 5),
                 "1 4 5 5 5");
    expect_equal(steps_of({.duration = 1s, .factor = 2.0, .steps = 3, .cap = 3s}, random, 4),
                 "1 2 3 3");
    expect_equal(steps_of({.duration = 3s, .factor = 2.0, .steps = 1, .cap = 9s}, random, 3),
                 "3 6 6");
    // Only what grows is held against it.
    expect_equal(steps_of({.duration = 7s, .factor = 2.0, .steps = 3, .cap = 5s}, random, 3),
                 "7 5 5");
    expect_equal(steps_of({.duration = 7s, .steps = 3, .cap = 5s}, random, 3), "7 7 7");
  });
}

// Mirrors TestBackoff_Step.
BOOST_AUTO_TEST_CASE(jitter_is_added_to_what_is_handed_out_and_never_accumulates) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    runtime::Random random(runtime, "test");
    const auto expect_around = [&](wait::Backoff backoff, std::vector<runtime::Duration> nominal) {
      const auto reach = static_cast<int>(backoff.jitter * 2);
      for (const runtime::Duration least : nominal) {
        const runtime::Duration delay = backoff.step(random);
        expect(delay > least, "there is some jitter");
        expect(delay < least + reach * least / 2, "the delay lies in the jitter's reach");
      }
    };
    expect_around({.duration = 1s, .factor = 2.0, .jitter = 0.5, .steps = 5},
                  {1s, 2s, 4s, 8s, 16s});
    expect_around({.duration = 1s, .factor = 2.0, .jitter = 4.0, .steps = 6},
                  {1s, 2s, 4s, 8s, 16s, 32s});
    expect_around({.duration = 1s, .factor = 2.0, .jitter = 0.5, .steps = 2, .cap = 3s},
                  {1s, 2s, 3s, 3s});
  });
}

// Mirrors TestJitterUntilNegativeFactor, its arithmetic.
BOOST_AUTO_TEST_CASE(a_jitter_factor_that_is_not_positive_counts_as_one) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    runtime::Random random(runtime, "test");
    runtime::Duration most = 0s;
    for (int i = 0; i < 50; ++i) {
      const runtime::Duration delay = wait::jitter(random, 1s, -3.0);
      expect(delay >= 1s && delay < 2s, "the delay lies in [1 s, 2 s)");
      most = std::max(most, delay);
    }
    expect(most > 1500ms, "the delays are spread");
  });
}

// Mirrors TestJitteredBackoffManagerGetNextBackoff.
BOOST_AUTO_TEST_CASE(a_jittered_manager_stretches_its_pause_or_with_a_negative_factor_not) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    wait::JitteredBackoffManager stretched(runtime, 1s, 1.0);
    for (int i = 0; i < 5; ++i) {
      const runtime::Duration pause = stretched.next();
      expect(1s <= pause && pause < 2s, "the pause lies in [1 s, 2 s)");
    }
    wait::JitteredBackoffManager fixed(runtime, 1s, -1.0);
    for (int i = 0; i < 5; ++i) {
      expect(fixed.next() == 1s, "it is always the same");
    }
  });
}

// Mirrors TestExponentialBackoffManagerGetNextBackoff.
BOOST_AUTO_TEST_CASE(an_exponential_manager_grows_to_its_cap) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    wait::ExponentialBackoffManager manager(runtime, {.initial = 1s, .cap = 10s, .jitter = 0.0});
    expect_equal(delays_of(manager, 7), "1 2 4 8 10 10 10 ");
    runtime::sleep_for(runtime, 121s);
    expect_equal(delays_of(manager, 2), "1 2 ");
  });
}

// Mirrors TestBackoffDelayWithResetExponential and TestBackoffDelayWithResetEmpty.
BOOST_AUTO_TEST_CASE(a_manager_that_counts_from_its_start_starts_again_whatever_was_asked_since) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const auto manager_of = [&](runtime::Duration reset_after) {
      return wait::ExponentialBackoffManager(runtime, {.initial = 1s,
                                                       .cap = 10s,
                                                       .reset_after = reset_after,
                                                       .since_start = true,
                                                       .jitter = 0.0});
    };
    wait::ExponentialBackoffManager manager = manager_of(10s);
    expect_equal(delays_of(manager, 7), "1 2 4 8 10 10 10 ");
    runtime::sleep_for(runtime, 11s);
    expect_equal(delays_of(manager, 2), "1 2 ");
    runtime::sleep_for(runtime, 6s);
    expect_equal(delays_of(manager, 1), "4 ");
    runtime::sleep_for(runtime, 6s);
    expect_equal(delays_of(manager, 1), "1 ");
    wait::ExponentialBackoffManager empty = manager_of(0s);
    expect_equal(delays_of(empty, 7), "1 1 1 1 1 1 1 ");
    runtime::sleep_for(runtime, 11s);
    expect_equal(delays_of(empty, 1), "1 ");
  });
}

// Mirrors TestBackoffDelayWithResetJitter.
BOOST_AUTO_TEST_CASE(a_manager_that_counts_from_its_start_stretches_its_delays_as_the_others_do) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    wait::ExponentialBackoffOptions options{
        .initial = 1s, .reset_after = 0s, .since_start = true, .factor = 0.0, .jitter = 1.0};
    wait::ExponentialBackoffManager stretched(runtime, options);
    for (int i = 0; i < 5; ++i) {
      const runtime::Duration delay = stretched.next();
      expect(1s < delay && delay < 2s, "the delay lies in (1 s, 2 s)");
    }
    options.jitter = -1.0;
    wait::ExponentialBackoffManager fixed(runtime, options);
    expect_equal(delays_of(fixed, 3), "1 1 1 ");
  });
}

// Mirrors TestJitterBackoffManagerWithRealClock, TestExponentialBackoffManagerWithRealClock and the
// same of DelayWithReset, in virtual time.
BOOST_AUTO_TEST_CASE(the_timer_of_a_manager_fires_after_each_of_its_delays) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const auto waits_of = [&](wait::BackoffManager& manager) {
      std::string text;
      for (int i = 0; i < 7; ++i) {
        const runtime::TimePoint start = runtime.now();
        runtime::Channel<runtime::TimePoint> fired = manager.backoff().channel();
        fired.receive();
        text += fmt::format("{} ", (runtime.now() - start) / 1ms);
      }
      return text;
    };
    wait::JitteredBackoffManager same(runtime, 1ms, 0.0);
    expect_equal(waits_of(same), "1 1 1 1 1 1 1 ");
    for (const bool since_start : {false, true}) {
      wait::ExponentialBackoffManager growing(runtime, {.initial = 1ms,
                                                        .cap = 10ms,
                                                        .reset_after = 1h,
                                                        .since_start = since_start,
                                                        .jitter = 0.0});
      expect_equal(waits_of(growing), "1 2 4 8 10 10 10 ");
    }
    wait::ExponentialBackoffManager level(
        runtime,
        {.initial = 1ms, .reset_after = 0s, .since_start = true, .factor = 0.0, .jitter = 0.0});
    expect_equal(waits_of(level), "1 1 1 1 1 1 1 ");
  });
}

// Mirrors TestExponentialBackoffManagerGetNextBackoff.
BOOST_AUTO_TEST_CASE(an_exponential_manager_starts_again_after_a_quiet_time_since_the_last_call) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    wait::ExponentialBackoffManager manager(
        runtime, {.initial = 1s, .cap = 10s, .reset_after = 20s, .jitter = 0.0});
    (void)manager.next();
    runtime.sleep_until(runtime.now() + 20s, runtime::Location::current());
    expect(manager.next() == 2s, "just that time is not enough");
    runtime.sleep_until(runtime.now() + 15s, runtime::Location::current());
    expect(manager.next() == 4s, "it counts from the last call, not from the last start");
    runtime.sleep_until(runtime.now() + 21s, runtime::Location::current());
    expect(manager.next() == 1s, "a longer time is");
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
