// What the sampling strategies promise, counted over many runs.
#include <boost/test/unit_test.hpp>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/runtime/atomic.hpp"
#include "core/runtime/ensure.hpp"
#include "core/runtime/task.hpp"
#include "sim/explore/explore.hpp"
#include "sim/explore/feedback_strategy.hpp"
#include "sim/explore/portfolio_strategy.hpp"
#include "sim/explore/priority_strategies.hpp"
#include "sim/explore/random_strategy.hpp"
#include "sim/explore/strategy_catalogue.hpp"
#include "sim/explore/urw_strategy.hpp"
#include "sim/kernel/world.hpp"

namespace watchlab::sim {

BOOST_AUTO_TEST_SUITE(sampling_test)

namespace {

using runtime::Atomic;
using runtime::Runtime;
using runtime::Task;

/// How often a body that says so itself was hit.
struct Count {
  std::size_t hits = 0;
  std::size_t decisions_max = 0;
};

Count count_hits(Strategy& strategy, std::size_t runs,
                 const std::function<bool(Runtime&)>& is_hit) {
  World world;
  Count count;
  for (std::size_t run = 0; run < runs; ++run) {
    BOOST_REQUIRE(strategy.prepare(run));
    bool hit = false;
    const RunResult result = world.run(strategy, [&](Runtime& runtime) { hit = is_hit(runtime); });
    BOOST_REQUIRE(!result.failure.has_value());
    count.hits += hit ? 1 : 0;
    count.decisions_max = std::max(count.decisions_max, result.decisions);
  }
  return count;
}

/// A broken increment among four tasks: hit when the write of another comes between (depth 2).
bool update_is_lost(Runtime& runtime) {
  Atomic<int> value(runtime, 0, "value");
  Atomic<int> noise(runtime, 0, "noise");
  const Task other = spawn(runtime, "other", [&] { value.store(100); });
  const Task first = spawn(runtime, "first", [&] { noise.fetch_add(1); });
  const Task second = spawn(runtime, "second", [&] { noise.fetch_add(1); });
  const int seen = value.load();
  value.store(seen + 1);
  other.join();
  first.join();
  second.join();
  return value.load() == 1 && seen == 0;
}

/// Two tasks that must alternate: hit in one order of four operations only (depth 3).
bool tasks_alternate(Runtime& runtime) {
  Atomic<int> turn(runtime, 0, "turn");
  int right = 0;
  const Task other = spawn(runtime, "other", [&] {
    right += turn.exchange(2) == 1 ? 1 : 0;
    right += turn.exchange(4) == 3 ? 1 : 0;
  });
  right += turn.exchange(1) == 0 ? 1 : 0;
  right += turn.exchange(3) == 2 ? 1 : 0;
  other.join();
  return right == 4;
}

/// The short task comes last of 26 stores: next to impossible for a random walk.
bool short_task_comes_last(Runtime& runtime) {
  Atomic<int> stores(runtime, 0, "stores");
  int before_short = 0;
  const Task long_one = spawn(runtime, "long", [&] {
    for (int i = 0; i < 25; ++i) {
      stores.fetch_add(1);
    }
  });
  before_short = stores.fetch_add(1);
  long_one.join();
  return before_short == 25;
}

/// Which way the events of the root and of a child were interleaved: "mcmmc".
std::string interleaving(Runtime& runtime) {
  Atomic<int> place(runtime, 0, "place");
  std::string order;
  const Task child = spawn(runtime, "child", [&] {
    for (int i = 0; i < 2; ++i) {
      place.fetch_add(1);
      order += 'c';
    }
  });
  for (int i = 0; i < 3; ++i) {
    place.fetch_add(1);
    order += 'm';
  }
  child.join();
  return order;
}

std::map<std::string, std::size_t> histogram(Strategy& strategy, std::size_t runs) {
  std::map<std::string, std::size_t> counts;
  (void)count_hits(strategy, 1, [](Runtime& runtime) { return !interleaving(runtime).empty(); });
  World world;
  for (std::size_t run = 1; run <= runs; ++run) {
    BOOST_REQUIRE(strategy.prepare(run));
    (void)world.run(strategy, [&](Runtime& runtime) { ++counts[interleaving(runtime)]; });
  }
  return counts;
}

double chi_square(const std::map<std::string, std::size_t>& counts, std::size_t runs) {
  const double expected = static_cast<double>(runs) / static_cast<double>(counts.size());
  double sum = 0;
  for (const auto& [order, count] : counts) {
    const double off = static_cast<double>(count) - expected;
    sum += off * off / expected;
  }
  return sum;
}

/// The orders in which three tasks came to do twenty things each, in the runs of one seed.
std::set<std::string> orders_of(const StrategyEntry& entry, std::uint64_t seed, std::size_t runs) {
  const std::unique_ptr<Strategy> strategy = entry.make({.seed = seed});
  std::set<std::string> orders;
  (void)count_hits(*strategy, runs, [&](Runtime& runtime) {
    Atomic<int> place(runtime, 0, "place");
    std::string order;
    const auto do_twenty = [&](char name) {
      return [&, name] {
        for (int i = 0; i < 20; ++i) {
          place.fetch_add(1);
          order += name;
        }
      };
    };
    const Task one = spawn(runtime, "one", do_twenty('1'));
    const Task two = spawn(runtime, "two", do_twenty('2'));
    do_twenty('0')();
    one.join();
    two.join();
    return orders.insert(order).second;
  });
  return orders;
}

}  // namespace

BOOST_AUTO_TEST_CASE(pct_hits_a_bug_of_depth_two_at_least_as_often_as_it_guarantees) {
  constexpr std::size_t kRuns = 20'000;
  PctStrategy strategy(1, 2, false);
  const Count count = count_hits(strategy, kRuns, update_is_lost);
  BOOST_TEST(count.decisions_max <= 50U);
  BOOST_TEST(count.hits >= kRuns / (4 * count.decisions_max));
}

BOOST_AUTO_TEST_CASE(pct_hits_a_bug_of_depth_three_at_least_as_often_as_it_guarantees) {
  constexpr std::size_t kRuns = 20'000;
  PctStrategy strategy(1, 3, false);
  const Count count = count_hits(strategy, kRuns, tasks_alternate);
  BOOST_TEST(count.decisions_max <= 10U);
  BOOST_TEST(count.hits >= kRuns / (2 * count.decisions_max * count.decisions_max));
}

BOOST_AUTO_TEST_CASE(pct_of_depth_one_cannot_hit_a_bug_of_depth_three) {
  PctStrategy strategy(1, 1, false);
  BOOST_TEST(count_hits(strategy, 2'000, tasks_alternate).hits == 0U);
}

BOOST_AUTO_TEST_CASE(urw_draws_every_interleaving_equally_often) {
  constexpr std::size_t kRuns = 20'000;
  UrwStrategy strategy(1);
  const std::map<std::string, std::size_t> counts = histogram(strategy, kRuns);
  BOOST_TEST(counts.size() == 10U);              // 5 over 2
  BOOST_TEST(chi_square(counts, kRuns) < 27.9);  // 99.9 % for 9 degrees of freedom
}

BOOST_AUTO_TEST_CASE(a_random_walk_does_not_draw_every_interleaving_equally_often) {
  constexpr std::size_t kRuns = 20'000;
  RandomStrategy strategy(1);
  const std::map<std::string, std::size_t> counts = histogram(strategy, kRuns);
  BOOST_TEST(chi_square(counts, kRuns) > 1000);
}

BOOST_AUTO_TEST_CASE(urw_finds_what_a_random_walk_does_not) {
  RandomStrategy random(1);
  BOOST_TEST(count_hits(random, 10'000, short_task_comes_last).hits == 0U);
  UrwStrategy urw(1);
  BOOST_TEST(count_hits(urw, 1'000, short_task_comes_last).hits > 0U);
}

BOOST_AUTO_TEST_CASE(surw_finds_it_too_because_it_is_uniform_on_one_object) {
  SurwStrategy strategy(1);
  BOOST_TEST(count_hits(strategy, 1'000, short_task_comes_last).hits > 10U);
}

BOOST_AUTO_TEST_CASE(pos_hits_the_short_bug_of_depth_three) {
  PosStrategy strategy(1);
  BOOST_TEST(count_hits(strategy, 2'000, tasks_alternate).hits > 10U);
}

BOOST_AUTO_TEST_CASE(feedback_keeps_what_showed_new_hand_overs_and_stops_finding_new_ones) {
  FeedbackStrategy strategy(1);
  (void)count_hits(strategy, 1, tasks_alternate);
  const std::size_t first = strategy.coverage();
  (void)count_hits(strategy, 500, tasks_alternate);
  const std::size_t later = strategy.coverage();
  (void)count_hits(strategy, 500, tasks_alternate);
  BOOST_TEST(first > 0U);
  BOOST_TEST(later > first);
  BOOST_TEST(strategy.coverage() == later);
}

BOOST_AUTO_TEST_CASE(a_portfolio_gives_each_member_its_own_runs) {
  std::vector<std::unique_ptr<Strategy>> members;
  members.push_back(std::make_unique<RandomStrategy>(1));
  members.push_back(std::make_unique<UrwStrategy>(1));
  PortfolioStrategy portfolio(std::move(members));
  BOOST_TEST(count_hits(portfolio, 2'000, short_task_comes_last).hits > 0U);
}

BOOST_AUTO_TEST_CASE(every_strategy_finds_a_lost_update_or_says_that_it_has_looked_everywhere) {
  for (const StrategyEntry& entry : strategy_catalogue()) {
    const ExploreResult result = explore(
        {.strategy = std::string(entry.name), .schedules_max = 5'000},
        [](Runtime& runtime) { runtime::ensure(!update_is_lost(runtime), "an update was lost"); });
    const bool only_one_run = entry.name == "fifo";
    BOOST_TEST(result.failure.has_value() != only_one_run, entry.name << " found nothing");
    BOOST_TEST(result.exhausted == only_one_run);
  }
}

BOOST_AUTO_TEST_CASE(seeds_next_to_each_other_share_no_runs) {
  constexpr std::size_t kRuns = 64;
  for (const char* const name : {"random", "urw", "surw", "pos"}) {
    const StrategyEntry& entry = strategy_named(name);
    std::set<std::string> both = orders_of(entry, 2, kRuns);
    std::set<std::string> others = orders_of(entry, 3, kRuns);
    const std::size_t different = both.size() + others.size();
    BOOST_TEST(different > kRuns);
    both.merge(others);
    BOOST_TEST(both.size() == different, name << " plays runs of one seed with another");
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::sim
