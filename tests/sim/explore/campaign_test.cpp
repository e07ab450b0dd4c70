// Campaigns in parts: shards, interrupts and going on repeat nothing and leave nothing out.
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

BOOST_DATA_TEST_CASE(shards_together_play_every_run_once, samplers, strategy) {
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

BOOST_DATA_TEST_CASE(a_search_has_no_parts, searches, strategy) {
  ExploreOptions options = options_of(strategy);
  options.shards = 2;
  BOOST_CHECK_THROW((void)explore(options, three_tasks), std::invalid_argument);
  options = options_of(strategy);
  options.first_run = 1;
  BOOST_CHECK_THROW((void)explore(options, three_tasks), std::invalid_argument);
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
