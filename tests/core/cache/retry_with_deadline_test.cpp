#include "core/cache/retry_with_deadline.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/core/cache/scripted_server.hpp"

namespace watchlab::tests {
BOOST_AUTO_TEST_SUITE(retry_with_deadline_test)

namespace {

/// One call: how an attempt ended, how long after the one before, and what is to be answered then.
struct Step {
  bool internal_error = false;
  runtime::Duration after{};
  bool retry = false;
};

void expect_answers(runtime::Duration max_retry, const std::vector<Step>& steps) {
  holds_in_every_world([&](runtime::Runtime& runtime) {
    cache::RetryWithDeadline retry(
        runtime, {.max_retry = max_retry, .min_reset = 1min, .retriable = api::is_internal_error});
    for (const Step& step : steps) {
      runtime::sleep_for(runtime, step.after);
      retry.after(step.internal_error
                      ? std::optional(status_error(api::StatusReason::InternalError))
                      : std::nullopt);
      expect_equal(retry.should_retry(), step.retry);
    }
  });
}

// Mirrors TestRetryWithDeadline.
BOOST_AUTO_TEST_CASE(without_a_time_nothing_is_retried) {
  expect_answers(0s, {{true, 0s, false}, {true, 1s, false}});
  expect_answers(-1s, {{true, 0s, false}});
}

BOOST_AUTO_TEST_CASE(a_series_is_retried_until_its_time_is_over) {
  expect_answers(
      10s,
      {{true, 0s, true}, {true, 5s, true}, {true, 5s, true}, {true, 1ns, false}, {true, 0s, true}});
}

BOOST_AUTO_TEST_CASE(errors_that_lie_a_minute_apart_are_two_series) {
  expect_answers(90s, {{true, 0s, true}, {true, 59s, true}, {true, 59s, false}});
  expect_answers(90s, {{true, 0s, true}, {true, 60s, true}, {true, 59s, true}, {true, 59s, false}});
}

BOOST_AUTO_TEST_CASE(successes_change_nothing) {
  expect_answers(10s,
                 {{false, 0s, false}, {true, 0s, true}, {false, 5s, true}, {false, 6s, false}});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace watchlab::tests
