// A mutex whose waiters starve may be handed over: a choice that is no by default.
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <set>

#include "core/runtime/mutex.hpp"
#include "core/runtime/task.hpp"
#include "sim/explore/explore.hpp"
#include "sim/explore/portfolio_strategy.hpp"
#include "sim/explore/replay_strategy.hpp"
#include "sim/kernel/world.hpp"

namespace watchlab::sim {
BOOST_AUTO_TEST_SUITE(handover_test)

namespace {

using namespace std::chrono_literals;
using runtime::Runtime;

/// Holds a mutex that others want for so long; whether it gets it again at once.
bool gets_it_again(Runtime& runtime, runtime::Duration held, int waiters) {
  runtime::Mutex mutex(runtime, "mutex");
  mutex.lock();
  std::vector<runtime::Task> tasks;
  for (int i = 0; i < waiters; ++i) {
    tasks.push_back(runtime::spawn(runtime, "waiter", [&] { const runtime::Lock lock(mutex); }));
  }
  runtime::sleep_for(runtime, held);
  mutex.unlock();
  const bool again = mutex.try_lock();
  if (again) {
    mutex.unlock();
  }
  for (const runtime::Task& task : tasks) {
    task.join();
  }
  return again;
}

Schedule with_handover_to(std::uint32_t index) {
  return {.deviations = {{.is_switch = false,
                          .at = "main",
                          .ordinal = Choice::kHandoversFrom + 1,
                          .index = index}}};
}

/// Runs that a search plays until it is exhausted.
std::size_t runs_of(const std::string& strategy, runtime::Duration held, std::set<bool>& seen) {
  const ExploreResult result =
      explore({.strategy = strategy, .schedules_max = 100'000, .early_advances_max = 0},
              [&](Runtime& runtime) { seen.insert(gets_it_again(runtime, held, 1)); });
  BOOST_TEST(!result.failure.has_value());
  BOOST_TEST(result.exhausted);
  return result.executions;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_waiter_of_a_millisecond_can_be_handed_the_mutex) {
  World world;
  for (std::uint32_t index = 0; index <= 2; ++index) {
    bool again = false;
    ReplayStrategy strategy(index == 0 ? Schedule{} : with_handover_to(index),
                            ReplayStrategy::Mode::Strict);
    const RunResult result =
        world.run(strategy, [&](Runtime& runtime) { again = gets_it_again(runtime, 1ms, 2); });
    BOOST_TEST(!result.failure.has_value());
    BOOST_TEST(!result.abandoned);
    BOOST_TEST(again == (index == 0));
    BOOST_TEST(result.deviations == (index == 0 ? 0U : 1U));
  }
}

BOOST_AUTO_TEST_CASE(a_waiter_of_less_than_a_millisecond_is_not_handed_it) {
  std::set<bool> seen;
  const std::optional<Failure> failure =
      replay(with_handover_to(1).to_string(),
             [&](Runtime& runtime) { seen.insert(gets_it_again(runtime, 999us, 1)); });
  BOOST_REQUIRE(failure.has_value());
  BOOST_TEST(failure->kind == "divergence");
}

BOOST_AUTO_TEST_CASE(a_run_without_a_handover_is_as_if_no_task_had_asked) {
  World world;
  FifoStrategy fifo;
  ReplayStrategy handover(with_handover_to(1), ReplayStrategy::Mode::Strict);
  ReplayStrategy nothing(Schedule{}, ReplayStrategy::Mode::Strict);
  const auto body = [](Runtime& runtime) { (void)gets_it_again(runtime, 1ms, 1); };
  const std::uint64_t default_one = world.run(fifo, body).digest;
  BOOST_TEST(world.run(nothing, body).digest == default_one);
  BOOST_TEST(world.run(handover, body).digest != default_one);
}

BOOST_AUTO_TEST_CASE(searches_play_both_and_see_what_they_saw) {
  for (const std::string strategy : {"dfs", "dpor"}) {
    std::set<bool> seen;
    const std::size_t without = runs_of(strategy, 999us, seen);
    BOOST_TEST(seen == (std::set<bool>{false, true}), boost::test_tools::per_element());
    std::set<bool> seen_with;
    BOOST_TEST(runs_of(strategy, 1ms, seen_with) > without);
    BOOST_TEST(seen_with == seen, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::sim
