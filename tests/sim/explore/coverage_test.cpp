// What coverage says about runs: which partial orders they show, and how likely a new one is.
#include "sim/explore/coverage.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <set>
#include <stdexcept>

#include "sim/explore/dfs_strategy.hpp"
#include "sim/explore/explore.hpp"
#include "sim/explore/feedback_strategy.hpp"
#include "sim/kernel/mix.hpp"
#include "sim/kernel/world.hpp"
#include "tests/sim/explore/table_programs.hpp"

namespace watchlab::sim {
BOOST_AUTO_TEST_SUITE(coverage_test)

namespace {

/// The partial orders among all interleavings of a program.
std::set<std::uint64_t> orders_of(const Program& program) {
  DfsStrategy dfs({.iterative = false});
  OrderObserver strategy(dfs);
  World world;
  std::set<std::uint64_t> orders;
  for (std::size_t run = 0; strategy.prepare(run); ++run) {
    (void)world.run(strategy, program.body);
    orders.insert(strategy.order());
  }
  return orders;
}

/// A number that looks random, for digests.
std::uint64_t digest(std::uint64_t number) { return mix(mix(number, 7), 11); }

}  // namespace

BOOST_AUTO_TEST_CASE(the_orders_among_all_interleavings_are_as_many_as_there_are_classes) {
  Outcome outcome;
  BOOST_TEST(orders_of(readers(outcome, 3)).size() == 8U);
  BOOST_TEST(orders_of(critical_sections(outcome, 3, 2)).size() == 90U);
  BOOST_TEST(orders_of(two_locks_in_two_orders(outcome)).size() == 3U);
  BOOST_TEST(orders_of(philosophers(outcome, 3)).size() == 7U);
  BOOST_TEST(orders_of(broadcast(outcome, 1)).size() == 3U);
  BOOST_TEST(orders_of(pipeline(outcome, 1, 2, 1)).size() == 6U);
  BOOST_TEST(orders_of(pipeline(outcome, 2, 2, 2)).size() == 36U);
  BOOST_TEST(orders_of(mutex_and_channel(outcome)).size() == 3U);
}

BOOST_AUTO_TEST_CASE(a_random_walk_comes_to_see_every_order_and_then_expects_nothing_new) {
  Outcome outcome;
  const Program program = critical_sections(outcome, 2, 3);
  ExploreOptions options{.schedules_max = 2000};
  options.coverage = true;
  const ExploreResult result = explore(options, program.body);
  BOOST_TEST(result.coverage.runs() == 2000U);
  BOOST_TEST(result.coverage.orders() == 20U);
  BOOST_TEST(result.coverage.unseen() == 0.0);
}

BOOST_AUTO_TEST_CASE(the_estimate_of_the_unseen_predicts_how_often_the_next_run_is_new) {
  Outcome outcome;
  const Program program = critical_sections(outcome, 3, 3);  // 1,680 orders
  double predicted = 0;
  std::size_t found = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    ExploreOptions options{.seed = seed, .schedules_max = 200};
    options.coverage = true;
    const Coverage before = explore(options, program.body).coverage;
    options.schedules_max = 201;
    found += explore(options, program.body).coverage.orders() - before.orders();
    predicted += before.unseen();
  }
  BOOST_TEST_MESSAGE("predicted " << predicted << " new orders in 300 runs, found " << found);
  BOOST_TEST(std::abs(predicted - static_cast<double>(found)) < 45);  // about five deviations
}

BOOST_AUTO_TEST_CASE(exploration_stops_when_the_unseen_falls_below_the_bound) {
  Outcome outcome;
  ExploreOptions options{.schedules_max = 100'000};
  options.unseen_below = 0.01;
  const ExploreResult result = explore(options, readers(outcome, 3).body);
  BOOST_TEST(result.saturated);
  BOOST_TEST(result.executions >= 300U);
  BOOST_TEST(result.executions < 1000U);
  BOOST_TEST(result.coverage.orders() == 8U);
}

BOOST_AUTO_TEST_CASE(counts_of_two_parts_come_to_the_count_of_the_whole) {
  Coverage whole;
  Coverage first;
  Coverage second;
  for (std::uint64_t i = 0; i < 6000; ++i) {
    const std::uint64_t order = digest(i % 3000);
    whole.add(order);
    (i < 4000 ? first : second).add(order);
  }
  first.merge(second);
  BOOST_TEST((first == whole));
}

BOOST_AUTO_TEST_CASE(many_orders_are_estimated_within_a_few_percent) {
  Coverage coverage;
  for (std::uint64_t i = 0; i < 150'000; ++i) {
    coverage.add(digest(i < 100'000 ? i : i % 50'000));
  }
  BOOST_TEST(!coverage.is_exact());
  BOOST_TEST(std::abs(static_cast<double>(coverage.orders()) / 100'000 - 1) < 0.1);
  BOOST_TEST(std::abs(coverage.unseen() / (50'000 / 150'000.0) - 1) < 0.15);
}

BOOST_AUTO_TEST_CASE(a_sketch_holds_all_that_is_known) {
  Coverage coverage;
  BOOST_TEST((Coverage::from_sketch(coverage.to_sketch()) == coverage));
  for (std::uint64_t i = 0; i < 5000; ++i) {
    coverage.add(digest(i % 2500));
    if (i == 900) {
      BOOST_TEST((Coverage::from_sketch(coverage.to_sketch()) == coverage));
    }
  }
  BOOST_TEST((Coverage::from_sketch(coverage.to_sketch()) == coverage));
}

BOOST_AUTO_TEST_CASE(a_text_that_is_no_sketch_is_refused) {
  for (const char* const text : {"", "c2e1", "c1e", "c1e1.zz", "c1e1.", "c1e2.5x"}) {
    BOOST_CHECK_THROW((void)Coverage::from_sketch(text), std::invalid_argument);
  }
}

BOOST_AUTO_TEST_CASE(the_text_says_what_the_next_run_may_show) {
  Coverage coverage;
  BOOST_TEST(coverage.to_string() ==
             "0 orders in 0 runs; the next run shows something new with p < 100 %");
  coverage.add(1);
  coverage.add(1);
  coverage.add(2);
  coverage.add(1);
  BOOST_TEST(coverage.to_string() ==
             "2 orders in 4 runs; the next run shows something new with p ≈ 25 %");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::sim
