#include "tests/support/campaign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <string>

#include "core/runtime/recover.hpp"
#include "core/runtime/thread_runtime.hpp"
#include "sim/explore/explore.hpp"
#include "sim/explore/requested_replay.hpp"

namespace watchlab::tests {

std::size_t pieces_of(Campaign campaign) {
  if (std::getenv("WATCHLAB_LONG") != nullptr) {
    return campaign.lengthy;
  }
  if (std::getenv("WATCHLAB_BRIEF") != nullptr) {
    return std::max<std::size_t>(1, campaign.default_one / 5);
  }
  return campaign.default_one;
}

namespace {

constexpr std::size_t kSchedules = 200;

void holds_on_threads(const Body& body) {
  runtime::ThreadRuntime threads({.checks = true});
  const auto panic = runtime::recover([&] { threads.run(body); });
  BOOST_TEST(!panic.has_value(), (panic ? panic->message : ""));
}

bool holds_under(const sim::ExploreOptions& options, const Body& body) {
  const sim::ExploreResult result = sim::explore(options, body);
  BOOST_TEST(
      !result.failure.has_value(),
      (result.failure ? fmt::format("{} ({}): {}\n{}", options.strategy, result.failure->kind,
                                    result.failure->sentence, replay_line(result.failure->schedule))
                      : std::string()));
  return !result.failure;
}

bool holds_in_worlds(const Body& body) {
  return holds_under({.strategy = "fifo"}, body) &&
         holds_under({.strategy = "random", .schedules_max = kSchedules}, body) &&
         holds_under({.strategy = "pct", .schedules_max = kSchedules / 2}, body);
}

/// Under ThreadSanitizer what counts is the part on threads; a world has but one of them.
bool is_threads_lane() { return std::getenv("WATCHLAB_THREADS_ONLY") != nullptr; }

}  // namespace

std::string replay_line(std::string_view schedule) {
  namespace framework = boost::unit_test::framework;
  const std::string program = framework::master_test_suite().argv[0];
  return sim::replay_line(schedule, program, framework::current_test_case().full_name());
}

void holds_in_every_world(const Body& body) {
  if (!is_threads_lane()) {
    holds_in_worlds(body);
  }
}

void holds_everywhere(const Body& body) {
  // What blocks in a simulated world, which says so, may block for ever on threads.
  if (is_threads_lane() || holds_in_worlds(body)) {
    holds_on_threads(body);
  }
}

void fails_somewhere(const Body& body, std::string_view kind, std::string_view word) {
  if (is_threads_lane()) {
    return;  // and what fails may race, which ThreadSanitizer would rightly report
  }
  const sim::ExploreResult result =
      sim::explore({.strategy = "random", .schedules_max = kSchedules * 10}, body);
  BOOST_REQUIRE_MESSAGE(result.failure.has_value(), "no schedule made it fail");
  BOOST_TEST(result.failure->kind == kind);
  BOOST_TEST((result.failure->sentence.find(word) != std::string::npos), result.failure->sentence);
}

void expect_equal(std::string_view found, std::string_view expected, runtime::Location here) {
  runtime::ensure(found == expected, fmt::format("found \"{}\", not \"{}\"", found, expected),
                  here);
}

void expect_equal(std::int64_t found, std::int64_t expected, runtime::Location here) {
  runtime::ensure(found == expected, fmt::format("found {}, not {}", found, expected), here);
}

void expect_panic(const std::function<void()>& action, std::string_view words,
                  runtime::Location here) {
  const auto panic = runtime::recover(action);
  runtime::ensure(panic.has_value(), fmt::format("expected a panic that says {}", words), here);
  runtime::ensure(panic->message.find(words) != std::string::npos,
                  fmt::format("expected a panic that says {}, not {}", words, panic->message),
                  here);
}

}  // namespace watchlab::tests
