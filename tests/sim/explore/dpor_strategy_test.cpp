// Partial-order reduction: the numbers that theory gives, and nothing lost against brute force.
#include "sim/explore/dpor_strategy.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/explore/dfs_strategy.hpp"
#include "sim/explore/explore.hpp"
#include "tests/sim/explore/against_brute_force.hpp"
#include "tests/sim/explore/class_count.hpp"
#include "tests/sim/explore/generated_program.hpp"
#include "tests/sim/explore/table_programs.hpp"
#include "tests/support/campaign.hpp"

namespace watchlab::sim {
BOOST_AUTO_TEST_SUITE(dpor_strategy_test)

namespace {

using Mode = DporStrategy::Mode;

struct Row {
  Program program;
  std::size_t executions;
  bool small;  ///< brute force takes well below a second
};

std::vector<Row> table(Outcome& outcome) {
  return {
      {critical_sections(outcome, 3, 2), 90, true},
      {critical_sections(outcome, 2, 3), 20, true},
      {critical_sections(outcome, 3, 3), 1680, false},
      {two_locks_in_two_orders(outcome), 3, true},
      {philosophers(outcome, 3), 7, true},
      {readers(outcome, 3), 8, true},
      {readers(outcome, 8), 256, false},
      {lost_update(outcome), 6, true},
      {disjoint_locks(outcome, 4), 1, false},
      {broadcast(outcome, 1), 3, true},
      {broadcast(outcome, 2), 22, true},
      {pipeline(outcome, 1, 2, 1), 6, true},
      {pipeline(outcome, 2, 2, 2), 36, false},
      {mutex_and_channel(outcome), 3, true},
  };
}

void check_rows(Mode mode) {
  Outcome outcome;
  for (const Row& row : table(outcome)) {
    DporStrategy strategy(mode);
    const Enumeration found = enumerate(strategy, row.program);
    BOOST_TEST_CONTEXT(row.program.name) {
      BOOST_TEST(found.exhausted);
      BOOST_TEST(found.executions == row.executions);
      BOOST_TEST(found.blocked == 0U);
    }
  }
}

/// False when that takes too long.
bool is_complete_on(std::uint64_t seed, std::size_t runs_max) {
  Outcome outcome;
  return is_judged_by_brute_force(generated_program(seed, outcome), runs_max);
}

}  // namespace

BOOST_AUTO_TEST_CASE(source_sets_play_as_many_runs_as_there_are_classes) {
  check_rows(Mode::SourceSets);
}

BOOST_AUTO_TEST_CASE(wakeup_trees_play_as_many_runs_as_there_are_classes) {
  check_rows(Mode::WakeupTrees);
}

BOOST_AUTO_TEST_CASE(nothing_is_lost_against_brute_force) {
  Outcome outcome;
  for (const Row& row : table(outcome)) {
    if (row.small) {
      DporStrategy strategy(Mode::WakeupTrees);
      const Enumeration reduced = enumerate(strategy, row.program);
      const Enumeration all = brute_force(row.program);
      BOOST_TEST_CONTEXT(row.program.name) {
        BOOST_TEST(all.exhausted);
        BOOST_TEST(reduced.outcomes == all.outcomes, boost::test_tools::per_element());
        BOOST_TEST((reduced.stuck > 0) == (all.stuck > 0));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(sections_of_one_lock_come_in_every_order) {
  Outcome outcome;
  const auto factorial = [](int n) {
    std::size_t product = 1;
    for (int i = 2; i <= n; ++i) {
      product *= static_cast<std::size_t>(i);
    }
    return product;
  };
  const std::vector<std::pair<int, int>> sizes{{2, 1}, {2, 5}, {4, 1}, {4, 2}, {5, 1}, {6, 1}};
  for (const auto& [tasks, sections] : sizes) {
    std::size_t expected = factorial(tasks * sections);
    for (int i = 0; i < tasks; ++i) {
      expected /= factorial(sections);
    }
    DporStrategy strategy(Mode::WakeupTrees);
    const Enumeration found = enumerate(strategy, critical_sections(outcome, tasks, sections));
    BOOST_TEST(found.executions == expected, tasks << " tasks of " << sections << " sections");
    BOOST_TEST(found.blocked == 0U);
  }
}

BOOST_AUTO_TEST_CASE(each_reader_comes_before_or_after_the_writer) {
  Outcome outcome;
  for (const int count : {1, 2, 4, 5, 6, 10}) {
    DporStrategy strategy(Mode::WakeupTrees);
    const Enumeration found = enumerate(strategy, readers(outcome, count));
    BOOST_TEST(found.executions == std::size_t{1} << static_cast<unsigned>(count));
    BOOST_TEST(found.outcomes.size() == found.executions);
    BOOST_TEST(found.blocked == 0U);
  }
}

BOOST_AUTO_TEST_CASE(outcomes_and_deadlocks_of_generated_programs_are_those_of_brute_force) {
  // Programs whose brute force would take long are passed over.
  const std::size_t pieces = tests::pieces_of({.default_one = 500, .lengthy = 5'000});
  std::size_t compared = 0;
  for (std::uint64_t seed = 1; compared < pieces; ++seed) {
    compared += is_complete_on(seed, 2'000) ? 1 : 0;
  }
}

BOOST_AUTO_TEST_CASE(programs_that_once_lost_an_outcome_lose_none) {
  // Selects whose other arm the rival has opened, steps that arrive where somebody waits, partners
  // that were taken away, alternatives next to something that sleeps.
  for (const std::uint64_t seed : {737, 1376, 1493, 1510, 1551, 2213, 2222, 2692, 4660}) {
    BOOST_TEST(is_complete_on(seed, 50'000), "seed " << seed);
  }
}

BOOST_AUTO_TEST_CASE(wakeup_trees_abandon_nothing_where_source_sets_do) {
  Outcome outcome;
  for (const Program& program : {last_zero(outcome, 3), dominoes(outcome, 4)}) {
    DporStrategy sources(Mode::SourceSets);
    const Enumeration with_sources = enumerate(sources, program);
    DporStrategy trees(Mode::WakeupTrees);
    const Enumeration with_trees = enumerate(trees, program);
    ClassCount classes;
    BOOST_TEST_CONTEXT(program.name) {
      BOOST_TEST(enumerate(classes, program).exhausted);
      BOOST_TEST(with_sources.blocked > 0U);
      BOOST_TEST(with_sources.executions == classes.count());
      BOOST_TEST(with_trees.blocked == 0U);
      BOOST_TEST(with_trees.executions == classes.count());
      BOOST_TEST(with_trees.outcomes == with_sources.outcomes);
    }
  }
}

BOOST_AUTO_TEST_CASE(last_zero_takes_as_many_runs_as_published) {
  Outcome outcome;
  for (const int writers : {2, 3, 4, 5, 6, 8}) {
    DporStrategy strategy(Mode::WakeupTrees);
    const Enumeration found = enumerate(strategy, last_zero(outcome, writers));
    const auto published = static_cast<std::size_t>((writers + 3) << (writers - 2));
    BOOST_TEST(found.executions == published, writers << " writers");
    BOOST_TEST(found.blocked == 0U);
  }
}

BOOST_AUTO_TEST_CASE(locks_on_the_edges_of_a_graph_come_in_each_acyclic_orientation) {
  Outcome outcome;
  DporStrategy trees(Mode::WakeupTrees);
  const Enumeration found = enumerate(trees, petersen_graph(outcome));
  BOOST_TEST(found.executions == 16'680U);
  BOOST_TEST(found.blocked == 0U);
  DporStrategy sources(Mode::SourceSets);
  BOOST_TEST(enumerate(sources, petersen_graph(outcome)).executions == 16'680U);
}

BOOST_AUTO_TEST_CASE(can_be_asked_for_by_name) {
  Outcome outcome;
  const ExploreResult lost = explore({.strategy = "dpor"}, broadcast(outcome, 1).body);
  BOOST_REQUIRE(lost.failure.has_value());
  BOOST_TEST(lost.failure->kind == "leak");
  BOOST_TEST(replay(lost.failure->schedule, broadcast(outcome, 1).body).has_value());
  const ExploreResult held = explore({.strategy = "dpor"}, readers(outcome, 8).body);
  BOOST_TEST(held.exhausted);
  BOOST_TEST(held.executions == 256U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::sim
