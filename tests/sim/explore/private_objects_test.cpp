// Decisions about what only one task uses are left out, and nothing is lost by that.
#include "sim/explore/private_objects.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <functional>
#include <string>
#include <vector>

#include "core/runtime/atomic.hpp"
#include "core/runtime/ensure.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/task.hpp"
#include "sim/explore/explore.hpp"
#include "sim/explore/random_strategy.hpp"
#include "sim/kernel/world.hpp"
#include "tests/sim/explore/planted.hpp"

namespace watchlab::sim {
BOOST_AUTO_TEST_SUITE(private_objects_test)

namespace {

using runtime::Atomic;
using runtime::Lock;
using runtime::Mutex;
using runtime::Runtime;
using runtime::Task;

/// What it took to find the bugs, over several seeds.
struct Effort {
  std::size_t found = 0;
  std::size_t schedules = 0;
  std::size_t decisions = 0;
};

/// Work under a lock of one's own, as objects do that could be shared and are not.
void work_alone(Runtime& runtime, int operations) {
  Mutex own(runtime, "own");
  for (int i = 0; i < operations; ++i) {
    const Lock lock(own);
  }
}

/// Two tasks that work alone for different times and then take two locks in two orders.
void two_lock_orders(Runtime& runtime) {
  Mutex store(runtime, "store");
  Mutex queue(runtime, "queue");
  const auto take = [&](Mutex& one, Mutex& two, int operations) {
    work_alone(runtime, operations);
    const Lock first(one);
    const Lock second(two);
  };
  const Task one = spawn(runtime, "one", [&] { take(store, queue, 20); });
  const Task two = spawn(runtime, "two", [&] { take(queue, store, 60); });
  one.join();
  two.join();
}

/// Three tasks that work alone and then increment what they share in two steps.
void lost_update(Runtime& runtime) {
  Atomic<int> value(runtime, 0, "value");
  const auto increment = [&](int operations) {
    work_alone(runtime, operations);
    const int seen = value.load();
    value.store(seen + 1);
  };
  const Task one = spawn(runtime, "one", [&] { increment(10); });
  const Task two = spawn(runtime, "two", [&] { increment(40); });
  const Task three = spawn(runtime, "three", [&] { increment(70); });
  one.join();
  two.join();
  three.join();
  runtime::ensure(value.load() == 3, "an update was lost");
}

Effort effort(const std::string& strategy, bool reduce) {
  Effort sum;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    for (void (*const body)(Runtime&) : {two_lock_orders, lost_update}) {
      ExploreOptions options{.strategy = strategy, .seed = seed, .schedules_max = 2000};
      options.reduce = reduce;
      const ExploreResult result = explore(options, body);
      sum.found += result.failure ? 1 : 0;
      sum.schedules += result.executions;
      sum.decisions += result.decisions;
    }
  }
  return sum;
}

/// Two tasks that share an object only in one of two orders.
void shares_late(Runtime& runtime) {
  Atomic<int> seen(runtime, 0, "seen");
  Atomic<int> shared(runtime, 0, "shared");
  const Task other = spawn(runtime, "other", [&] {
    if (seen.load() == 1) {
      shared.store(5);
    }
  });
  shared.store(1);
  shared.store(2);
  seen.store(1);
  other.join();
}

const std::vector<std::string> samplers{"random", "pct", "pos", "urw", "surw"};

}  // namespace

BOOST_DATA_TEST_CASE(bugs_take_less_than_half_the_decisions, samplers, strategy) {
  const Effort all = effort(strategy, false);
  const Effort reduced = effort(strategy, true);
  BOOST_TEST_MESSAGE(strategy << ": " << all.found << " of 40 found in " << all.schedules
                              << " schedules with " << all.decisions << " decisions; reduced "
                              << reduced.found << " in " << reduced.schedules << " with "
                              << reduced.decisions);
  BOOST_TEST(reduced.found >= all.found);
  BOOST_TEST(reduced.decisions * 2 < all.decisions);
}

BOOST_AUTO_TEST_CASE(a_run_begins_again_when_an_object_is_shared_after_all) {
  RandomStrategy random(1);
  PrivateObjects strategy(random);
  strategy.learn(false);
  World world;
  std::size_t restarts = 0;
  for (std::size_t run = 0; run < 200; ++run) {
    do {
      BOOST_REQUIRE(strategy.prepare(run));
      const RunResult result = world.run(strategy, shares_late);
      BOOST_TEST(!result.failure.has_value());
      restarts += strategy.must_restart() ? 1 : 0;
    } while (strategy.must_restart());
  }
  BOOST_TEST(restarts > 10U);
}

BOOST_AUTO_TEST_CASE(what_was_learned_spares_later_restarts) {
  RandomStrategy random(1);
  PrivateObjects strategy(random);
  World world;
  std::size_t restarts = 0;
  for (std::size_t run = 0; run < 200; ++run) {
    BOOST_REQUIRE(strategy.prepare(run));
    (void)world.run(strategy, shares_late);
    restarts += strategy.must_restart() ? 1 : 0;
  }
  BOOST_TEST(restarts <= 2U);  // one for each object
}

BOOST_DATA_TEST_CASE(a_found_schedule_replays_without_the_reduction, samplers, strategy) {
  for (const tests::Planted& bug : tests::planted_bugs()) {
    const std::function<void(Runtime&)> body = [&bug](Runtime& runtime) { bug.body(runtime, 10); };
    const ExploreResult result = explore({.strategy = strategy, .schedules_max = 500}, body);
    if (!result.failure) {
      continue;
    }
    const std::optional<Failure> again = replay(result.failure->schedule, body);
    BOOST_REQUIRE(again.has_value());
    BOOST_TEST(again->sentence == result.failure->sentence);
    BOOST_TEST(again->steps == result.failure->steps);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::sim
