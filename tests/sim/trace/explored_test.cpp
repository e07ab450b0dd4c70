#include "sim/trace/explored.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "core/runtime/ensure.hpp"
#include "core/runtime/runtime.hpp"
#include "tests/sim/trace/stories.hpp"

namespace watchlab::tests {
BOOST_AUTO_TEST_SUITE(explored_test)

namespace {

using sim::Explored;
using sim::ExploredTree;

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

/// Chooses one of eight ways four times; fails on one of the 4,096.
void many_ways(runtime::Runtime& runtime) {
  std::size_t way = 0;
  for (int i = 0; i < 4; ++i) {
    way = way * 8 + runtime.choose(8, "way");
  }
  runtime::ensure(way != 1'234, "the wrong way");
}

}  // namespace

BOOST_AUTO_TEST_CASE(runs_that_begin_alike_share_their_first_nodes) {
  ExploredTree tree;
  tree.add({"a", "b"}, "");
  tree.add({"a", "c"}, "deadlock");
  tree.add({"d"}, "leak");
  BOOST_TEST(tree.root().runs == 3U);
  BOOST_TEST(tree.root().failing() == 2U);
  BOOST_REQUIRE(tree.root().children.size() == 2U);
  const ExploredTree::Node& a = tree.node(tree.root().children.front());
  BOOST_TEST(a.taken == "a");
  BOOST_TEST(a.runs == 2U);
  BOOST_TEST(a.failures.at("deadlock") == 1U);
  BOOST_TEST(a.children.size() == 2U);
}

BOOST_AUTO_TEST_CASE(it_continues_after_a_failure_until_nothing_is_left) {
  const Explored explored = sim::explore_tree({.strategy = "dfs"}, two_orders);
  BOOST_TEST(explored.exhausted);
  BOOST_TEST(explored.tree.root().failing() > 0U);
  BOOST_TEST(explored.tree.root().failing() < explored.tree.root().runs);
  const auto failure = sim::replay(explored.first_schedule, two_orders);
  BOOST_REQUIRE(failure.has_value());
  BOOST_TEST(failure->kind == "deadlock");
}

BOOST_AUTO_TEST_CASE(it_plays_no_more_runs_than_it_may) {
  const Explored explored =
      sim::explore_tree({.strategy = "random", .schedules_max = 7}, two_orders);
  BOOST_TEST(explored.tree.root().runs == 7U);
  BOOST_TEST(!explored.exhausted);
}

BOOST_AUTO_TEST_CASE(the_picture_shows_kinds_ways_and_the_failing_schedule) {
  const Explored explored = sim::explore_tree({.strategy = "dfs"}, two_orders);
  const std::string dot = sim::explored_dot(explored, {.title = "two orders"});
  BOOST_TEST(says(dot, "two orders\\l"), dot);
  BOOST_TEST(says(dot, "runs by dfs, all there are: "), dot);
  BOOST_TEST(says(dot, "the first failing schedule: " + explored.first_schedule), dot);
  BOOST_TEST(says(dot, "1 run: deadlock"), dot);
  BOOST_TEST(says(dot, "1 run: held"), dot);
  BOOST_TEST(says(dot, "label=\"main/other: lock mutex 'queue'\\l\""), dot);
}

BOOST_AUTO_TEST_CASE(a_large_tree_is_bounded_and_opened_where_it_fails) {
  const Explored explored =
      sim::explore_tree({.strategy = "dfs", .schedules_max = 5'000}, many_ways);
  BOOST_TEST(explored.tree.root().runs == 4'096U);
  const std::string dot = sim::explored_dot(explored, {.title = "ways", .nodes_max = 40});
  BOOST_TEST(count(dot, " runs …\"") > 0U);
  BOOST_TEST(count(dot, "shape=box") <= 40U);
  BOOST_TEST(count(dot, "1 run: violation") == 1U, dot);
}

BOOST_AUTO_TEST_CASE(a_deep_tree_and_a_long_schedule_make_no_wide_picture) {
  Explored explored{.strategy = "random", .first_schedule = std::string(3'000, 'x')};
  std::vector<std::string> ways;
  for (int depth = 0; depth < 20; ++depth) {
    ways.emplace_back("main/client: lock mutex 'queue'");
    std::vector<std::string> run = ways;
    run.emplace_back("main: stop");
    explored.tree.add(run, depth < 19 ? "" : "deadlock");
  }
  const std::string dot = sim::explored_dot(explored, {.title = "deep"});
  std::istringstream lines(dot);
  int widest = 0;
  for (std::string line; std::getline(lines, line);) {
    if (const std::size_t at = line.find("[pos=\""); at != std::string::npos) {
      widest = std::max(widest, std::stoi(line.substr(at + 6)));
    }
  }
  BOOST_TEST(widest > 200);
  BOOST_TEST(widest < 900);
  BOOST_TEST(count(dot, std::string(130, 'x')) == 0U);
  BOOST_TEST(says(dot, "explore prints all of it"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
