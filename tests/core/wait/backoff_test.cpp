#include "core/wait/backoff.hpp"

#include <fmt/format.h>

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <string>

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
  });
}

BOOST_AUTO_TEST_CASE(jitter_is_added_to_what_is_handed_out_and_never_accumulates) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    runtime::Random random(runtime, "test");
    wait::Backoff backoff{.duration = 1s, .factor = 2.0, .jitter = 0.5, .steps = 5};
    runtime::Duration nominal = 1s;
    for (int i = 0; i < 5; ++i) {
      const runtime::Duration delay = backoff.step(random);
      expect(delay >= nominal && delay < nominal * 3 / 2, "the delay lies in the jitter's reach");
      nominal *= 2;
    }
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
    std::string text;
    for (int i = 0; i < 6; ++i) {
      text += fmt::format("{} ",
                          std::chrono::duration_cast<std::chrono::seconds>(manager.next()).count());
    }
    expect_equal(text, "1 2 4 8 10 10 ");
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
