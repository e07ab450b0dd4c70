#include "tests/core/hammers/hammer.hpp"

#include <array>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cstdlib>

#include "core/runtime/fibers/fiber_runtime.hpp"
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

/// Plays one round on OS threads, or on fibers with 1, 2 or 8 workers.
void play_round(std::uint64_t round, const Body& body) {
  constexpr std::array<std::size_t, 4> kWorkers{0, 1, 2, 8};
  const std::size_t workers = kWorkers[round % kWorkers.size()];
  if (workers == 0) {
    runtime::ThreadRuntime({.seed = round, .checks = true}).run(body);
  } else {
    runtime::FiberRuntime({.threads = workers, .seed = round, .checks = true}).run(body);
  }
}

void hammer_in_real_time(const Body& body) {
  runtime::ThreadRuntime clock;
  const auto end = clock.now() + (is_set("WATCHLAB_LONG") ? runtime::Duration(60s) : 500ms);
  std::uint64_t round = 0;
  do {
    const auto panic = runtime::recover([&] { play_round(++round, body); });
    BOOST_REQUIRE_MESSAGE(!panic, "round " << round << ": " << (panic ? panic->message : ""));
  } while (clock.now() < end || round < 4);
  BOOST_TEST_MESSAGE(round << " rounds in real time");
}

}  // namespace

void hammer(const Body& body) {
  if (!is_set("WATCHLAB_THREADS_ONLY")) {
    hammer_in_worlds(body);
  }
  hammer_in_real_time(body);
}

}  // namespace watchlab::tests
