#include <boost/test/unit_test.hpp>

#include "core/cache/reflector_impl.hpp"
#include "tests/core/cache/scripted_server.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(retry_with_deadline_test)

namespace {

/// How an attempt ended.
enum class End : std::uint8_t { Success, InternalError, OtherError };

/// One call: how an attempt ended, how long after the one before, and what is to be answered then.
struct Step {
  End end = End::Success;
  runtime::Duration after{};
  bool retry = false;
};

std::optional<api::Error> error_of(End end) {
  if (end == End::Success) {
    return std::nullopt;
  }
  return end == End::InternalError ? status_error(api::StatusReason::InternalError)
                                   : error_of_kind(api::ErrorKind::Other);
}

void expect_answers(runtime::Duration max_retry, const std::vector<Step>& steps) {
  holds_in_every_world([&](runtime::Runtime& runtime) {
    cache::RetryWithDeadline retry(
        runtime, {.max_retry = max_retry, .min_reset = 1min, .retriable = api::is_internal_error});
    for (const Step& step : steps) {
      runtime::sleep_for(runtime, step.after);
      retry.after(error_of(step.end));
      expect_equal(retry.should_retry(), step.retry);
    }
  });
}

}  // namespace

// Mirrors TestRetryWithDeadline.
BOOST_AUTO_TEST_CASE(without_a_time_nothing_is_retried) {
  expect_answers(0s, {{End::InternalError, 0s, false}, {End::InternalError, 1s, false}});
  expect_answers(-1s, {{End::InternalError, 0s, false}});
}

BOOST_AUTO_TEST_CASE(a_series_is_retried_until_its_time_is_over) {
  expect_answers(10s, {{End::InternalError, 0s, true},
                       {End::InternalError, 5s, true},
                       {End::InternalError, 5s, true},
                       {End::InternalError, 1ns, false},
                       {End::InternalError, 0s, true}});
}

BOOST_AUTO_TEST_CASE(errors_that_lie_a_minute_apart_are_two_series) {
  expect_answers(90s, {{End::InternalError, 0s, true},
                       {End::InternalError, 59s, true},
                       {End::InternalError, 59s, false}});
  expect_answers(90s, {{End::InternalError, 0s, true},
                       {End::InternalError, 60s, true},
                       {End::InternalError, 59s, true},
                       {End::InternalError, 59s, false}});
}

BOOST_AUTO_TEST_CASE(successes_change_nothing) {
  expect_answers(10s, {{End::Success, 0s, false},
                       {End::InternalError, 0s, true},
                       {End::Success, 5s, true},
                       {End::Success, 6s, false}});
}

// Mirrors TestRetryWithDeadline, its rows of other errors.
BOOST_AUTO_TEST_CASE(other_errors_are_never_retried_and_end_no_series) {
  expect_answers(
      0s,
      {{End::Success, 1s, false}, {End::InternalError, 0s, false}, {End::OtherError, 1s, false}});
  expect_answers(1s, {{End::OtherError, 1s, false}});
  expect_answers(1s, {{End::InternalError, 1s, true},
                      {End::OtherError, 0s, true},
                      {End::InternalError, 1s, true},
                      {End::InternalError, 1s, false}});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
