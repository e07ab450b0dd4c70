// Campaigns in parts: shards, interrupts and going on repeat nothing and leave nothing out.
#include "tests/support/campaign.hpp"

#include <algorithm>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/runtime/ensure.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/task.hpp"
#include "sim/explore/explore.hpp"
#include "tests/sim/explore/table_programs.hpp"

namespace watchlab::sim {
BOOST_AUTO_TEST_SUITE(campaign_test)

namespace {

/// Three tasks with two critical sections each: 90 orders.
void three_tasks(runtime::Runtime& runtime) {
  runtime::Mutex mutex(runtime, "mutex");
  const auto visit = [&] {
    for (int i = 0; i < 2; ++i) {
      const runtime::Lock lock(mutex);
    }
  };
  const runtime::Task a = spawn(runtime, "a", visit);
  const runtime::Task b = spawn(runtime, "b", visit);
  const runtime::Task c = spawn(runtime, "c", visit);
  a.join();
  b.join();
  c.join();
}

/// Explores, adds how often each order came up, and stops after `at_most` counted executions.
ExploreResult explore_part(ExploreOptions options, Coverage& runs, std::size_t at_most = SIZE_MAX) {
  options.coverage = true;
  options.keep_going = [at_most](const ExploreResult& so_far) {
    return so_far.executions < at_most;
  };
  ExploreResult result = explore(options, three_tasks);
  runs.merge(result.coverage);
  return result;
}

ExploreOptions options_of(const std::string& strategy) {
  ExploreOptions options{.strategy = strategy, .seed = 5};
  options.schedules_max = strategy == "dfs" || strategy == "dpor" ? 1'000'000 : 300;
  return options;
}

using Body = std::function<void(runtime::Runtime&)>;

/// Fails when the second task is the first in the section; but for that, 20 orders.
void order_matters(runtime::Runtime& runtime) {
  runtime::Mutex mutex(runtime, "mutex");
  int first = 0;
  int turn = 0;
  const auto visit = [&](int task) {
    for (int i = 0; i < 3; ++i) {
      const runtime::Lock lock(mutex);
      first = turn++ == 0 ? task : first;
    }
  };
  runtime::Task a = spawn(runtime, "a", [&] { visit(1); });
  runtime::Task b = spawn(runtime, "b", [&] { visit(2); });
  a.join();
  b.join();
  runtime::ensure(first == 1, "a comes before b");
}

/// Deadlocks in one of three orders, beside a task of its own.
void two_locks(runtime::Runtime& runtime) {
  runtime::Mutex one(runtime, "one");
  runtime::Mutex two(runtime, "two");
  const auto take = [](runtime::Mutex& first, runtime::Mutex& second) {
    const runtime::Lock outer(first);
    const runtime::Lock inner(second);
  };
  runtime::Task a = spawn(runtime, "a", [&] { take(one, two); });
  runtime::Task b = spawn(runtime, "b", [&] { take(two, one); });
  a.join();
  b.join();
}

std::vector<std::string> kinds_of(const ExploreResult& result) {
  std::vector<std::string> kinds;
  for (const DistinctFailure& failure : result.failures) {
    kinds.push_back(signature_of(failure.first) + " " + std::to_string(failure.count));
  }
  std::sort(kinds.begin(), kinds.end());
  return kinds;
}

/// What all parts of a search have come to.
struct Parts {
  std::size_t count = 0;
  std::size_t executions = 0;
  Coverage coverage;
  std::vector<std::string> failures;
};

/// Plays so many runs of a part, gives the rest away in so many, and goes on with the last of them.
/// A search that keeps what it gives away would never end.
Parts explore_in_parts(ExploreOptions options, const Body& body, std::size_t runs,
                       std::size_t parts_max) {
  Parts all;
  ExploreResult sum;
  options.parts_max = parts_max;
  std::vector<std::string> waiting{""};
  constexpr std::size_t kPartsMax = 2'000;
  for (; !waiting.empty(); ++all.count) {
    BOOST_TEST_REQUIRE(all.count < kPartsMax, "parts without an end: what is given away is kept");
    options.state = std::move(waiting.back());
    waiting.pop_back();
    options.schedules_max = runs;
    const ExploreResult part = explore(options, body);
    BOOST_TEST(part.parts.size() <= parts_max);
    BOOST_TEST(part.exhausted == part.parts.empty());
    all.executions += part.executions;
    all.coverage.merge(part.coverage);
    for (const DistinctFailure& failure : part.failures) {
      add_failure(sum.failures, failure);
    }
    waiting.insert(waiting.end(), part.parts.begin(), part.parts.end());
  }
  all.failures = kinds_of(sum);
  return all;
}

const std::vector<std::string> samplers{"random", "pct", "pos", "urw", "surw", "portfolio"};
const std::vector<std::string> searches{"dfs", "dpor"};

}  // namespace

BOOST_DATA_TEST_CASE(an_interrupted_campaign_continues_without_repeating_a_run, samplers,
                     strategy) {
  Coverage whole;
  const ExploreResult result = explore_part(options_of(strategy), whole);
  BOOST_TEST(result.executions == 300U);
  Coverage parts;
  ExploreOptions options = options_of(strategy);
  std::size_t executions = 0;
  for (int i = 0; i < 4; ++i) {
    const ExploreResult part = explore_part(options, parts, i < 3 ? 70 : SIZE_MAX);
    BOOST_TEST(part.interrupted == (i < 3));
    executions += part.executions;
    options.first_run = part.next_run;
  }
  BOOST_TEST(executions == 300U);
  BOOST_TEST((parts == whole));
}

BOOST_DATA_TEST_CASE(an_interrupted_search_continues_without_repeating_a_run, searches, strategy) {
  Coverage whole;
  const ExploreResult result = explore_part(options_of(strategy), whole);
  BOOST_TEST(result.exhausted);
  Coverage parts;
  ExploreOptions options = options_of(strategy);
  std::size_t executions = 0;
  std::size_t pieces = 0;
  for (bool done = false; !done; ++pieces) {
    const ExploreResult part = explore_part(options, parts, result.executions / 7 + 1);
    executions += part.executions;
    done = part.exhausted;
    options.first_run = part.next_run;
    options.state = part.state;
  }
  BOOST_TEST(pieces == 7U);
  BOOST_TEST(executions == result.executions);
  BOOST_TEST((parts == whole));
}

BOOST_DATA_TEST_CASE(shards_together_play_every_run_once,
                     samplers + std::vector<std::string>{"dfs"}, strategy) {
  Coverage whole;
  const std::size_t executions = explore_part(options_of(strategy), whole).executions;
  Coverage parts;
  std::size_t sum = 0;
  for (std::size_t shard = 0; shard < 3; ++shard) {
    ExploreOptions options = options_of(strategy);
    options.shard = shard;
    options.shards = 3;
    const std::size_t part = explore_part(options, parts).executions;
    BOOST_TEST(part > 0U);
    sum += part;
  }
  BOOST_TEST(sum == executions);
  BOOST_TEST((parts == whole));
}

/// Each part begins a world of its own, which costs much more than its runs with a sanitizer.
BOOST_DATA_TEST_CASE(parts_together_play_every_run_once, searches, strategy) {
  const std::vector<Body> bodies{three_tasks, order_matters, two_locks};
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    ExploreOptions options = options_of(strategy);
    options.continues = true;
    options.coverage = true;
    const ExploreResult whole = explore(options, bodies[i]);
    const std::size_t few =
        whole.executions / tests::pieces_of({.default_one = 150, .lengthy = 150});
    const Parts one = explore_in_parts(options, bodies[i], 7 + few, 1);
    const Parts many = explore_in_parts(options, bodies[i], 5 + few, 4);
    BOOST_TEST_CONTEXT("program " << i) {
      BOOST_TEST(whole.exhausted);
      BOOST_TEST(many.count > (i == 2 && strategy == "dpor" ? 0U : one.count));
      for (const Parts& parts : {one, many}) {
        BOOST_TEST(parts.executions == whole.executions);
        BOOST_TEST((parts.coverage == whole.coverage));
        BOOST_TEST(parts.failures == kinds_of(whole), boost::test_tools::per_element());
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(sampling_gives_no_parts_away) {
  ExploreOptions options = options_of("random");
  options.parts_max = 2;
  BOOST_CHECK_THROW((void)explore(options, three_tasks), std::invalid_argument);
}

BOOST_DATA_TEST_CASE(a_state_of_a_search_that_gives_nothing_away_is_refused, searches, strategy) {
  ExploreOptions options = options_of(strategy);
  options.schedules_max = 3;
  options.state = explore(options, three_tasks).state;
  options.parts_max = 2;
  if (strategy == "dpor") {
    BOOST_CHECK_THROW((void)explore(options, three_tasks), std::invalid_argument);
  }
}

BOOST_DATA_TEST_CASE(a_part_of_another_body_is_refused, searches, strategy) {
  ExploreOptions options = options_of(strategy);
  options.parts_max = 4;
  options.schedules_max = 20;
  const ExploreResult begun = explore(options, three_tasks);
  BOOST_TEST(begun.parts.size() == 4U);
  options.schedules_max = 1'000'000;
  for (const std::string& part : begun.parts) {
    options.state = part;
    BOOST_TEST(explore(options, three_tasks).exhausted);
    BOOST_CHECK_THROW((void)explore(options, two_locks), std::invalid_argument);
  }
}

BOOST_AUTO_TEST_CASE(dpor_refuses_to_be_split) {
  ExploreOptions options = options_of("dpor");
  options.shards = 2;
  BOOST_CHECK_THROW((void)explore(options, three_tasks), std::invalid_argument);
}

BOOST_DATA_TEST_CASE(a_state_of_something_else_is_refused, searches, strategy) {
  ExploreOptions options = options_of(strategy);
  for (const char* const state : {"nonsense", "dfs1", "dfs1 1 1 0 1 5 2", "dfs2 -1 -1 0 1 0 1 1",
                                  "dfs2 -1 -1 0 1 0 1 0 2 1", "dpor2 ", "dpor2 00ff"}) {
    options.state = state;
    BOOST_CHECK_THROW((void)explore(options, three_tasks), std::invalid_argument);
  }
}

BOOST_DATA_TEST_CASE(the_size_of_a_tree_is_estimated_on_the_way, searches, strategy) {
  Outcome outcome;
  const Program program = critical_sections(outcome, 3, 2);
  ExploreOptions options = options_of(strategy);
  const ExploreResult whole = explore(options, program.body);
  BOOST_TEST(whole.exhausted);
  BOOST_TEST(whole.explored == 1.0);
  options.schedules_max = whole.executions / 2;
  const ExploreResult half = explore(options, program.body);
  BOOST_TEST(half.explored > 0.05);
  BOOST_TEST(half.explored < 1.0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::sim
