#include "tests/core/hammers/hammer.hpp"

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cstdlib>

#include "core/runtime/recover.hpp"
#include "core/runtime/thread_runtime.hpp"
#include "sim/explore/explore.hpp"

namespace watchlab::tests {
namespace {

using namespace std::chrono_literals;

bool is_set(const char* variable) { return std::getenv(variable) != nullptr; }

void hammer_in_worlds(const Body& body) {
  const std::size_t schedules = is_set("WATCHLAB_LONG") ? 10'000 : 500;
  const sim::ExploreResult result =
      sim::explore({.strategy = "random", .schedules_max = schedules}, body);
  BOOST_TEST(
      !result.failure.has_value(),
      (result.failure ? result.failure->sentence + "\n" + replay_line(result.failure->schedule)
                      : ""));
  BOOST_TEST((result.failure || result.executions == schedules));
}

void hammer_on_threads(const Body& body) {
  runtime::ThreadRuntime clock;
  const auto end = clock.now() + (is_set("WATCHLAB_LONG") ? runtime::Duration(60s) : 500ms);
  std::uint64_t round = 0;
  do {
    runtime::ThreadRuntime threads({.seed = ++round, .checks = true});
    const auto panic = runtime::recover([&] { threads.run(body); });
    BOOST_REQUIRE_MESSAGE(!panic, "round " << round << ": " << (panic ? panic->message : ""));
  } while (clock.now() < end);
  BOOST_TEST_MESSAGE(round << " rounds on threads");
}

}  // namespace

void hammer(const Body& body) {
  if (!is_set("WATCHLAB_THREADS_ONLY")) {
    hammer_in_worlds(body);
  }
  hammer_on_threads(body);
}

}  // namespace watchlab::tests
