// Explorations that go on after a failure, and what sees each of their runs.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <set>
#include <string>
#include <vector>

#include "core/runtime/atomic.hpp"
#include "core/runtime/ensure.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/task.hpp"
#include "sim/explore/explore.hpp"
#include "sim/kernel/run_result.hpp"
#include "tests/sim/explore/table_programs.hpp"

namespace watchlab::sim {
BOOST_AUTO_TEST_SUITE(continue_test)

namespace {

using runtime::Lock;
using runtime::Runtime;

/// Fails in three ways, by who comes first: two checks that say the same on two lines, a deadlock.
void three_mistakes(Runtime& runtime) {
  runtime::Atomic<int> first(runtime, 0, "first");
  runtime::Mutex a(runtime, "a");
  runtime::Mutex b(runtime, "b");
  const runtime::Task one = spawn(runtime, "one", [&] {
    runtime::ensure(first.fetch_add(1) != 1, "not the first");
    const Lock outer(a);
    const Lock inner(b);
  });
  const runtime::Task two = spawn(runtime, "two", [&] {
    runtime::ensure(first.fetch_add(1) != 1 || first.load() != 2, "not the first");
    const Lock outer(b);
    const Lock inner(a);
  });
  one.join();
  two.join();
}

/// Never fails in the first of its three failing ways alone.
void deadlock_or_check(Runtime& runtime) {
  runtime::Mutex a(runtime, "a");
  runtime::Mutex b(runtime, "b");
  runtime::Atomic<int> order(runtime, 0, "order");
  const runtime::Task one = spawn(runtime, "one", [&] {
    const Lock outer(a);
    const Lock inner(b);
    order.store(1);
  });
  const runtime::Task two = spawn(runtime, "two", [&] {
    const Lock outer(b);
    const Lock inner(a);
    runtime::ensure(order.load() == 0, "one was before two");
  });
  one.join();
  two.join();
}

const std::vector<std::string> all{"random", "pct",       "pos", "urw",
                                   "surw",   "portfolio", "dfs", "dpor"};

}  // namespace

BOOST_DATA_TEST_CASE(different_failures_are_collected, all, strategy) {
  const ExploreOptions options{.strategy = strategy, .schedules_max = 100'000, .continues = true};
  const bool is_search = strategy == "dfs" || strategy == "dpor";
  ExploreOptions bounded = options;
  bounded.schedules_max = is_search ? 1'000'000 : 500;
  const ExploreResult result = explore(bounded, deadlock_or_check);
  BOOST_TEST(result.exhausted == is_search);
  BOOST_REQUIRE(result.failures.size() == 2U);
  BOOST_TEST(result.failure->schedule == result.failures[0].first.schedule);
  BOOST_TEST(result.failures[0].first.kind != result.failures[1].first.kind);
  BOOST_TEST(result.failures[0].first_run < result.failures[1].first_run);
  for (const DistinctFailure& each : result.failures) {
    BOOST_TEST(each.count > 0U);
    BOOST_TEST(each.count < result.executions);
    const std::optional<Failure> again = replay(each.first.schedule, deadlock_or_check);
    BOOST_REQUIRE(again.has_value());
    BOOST_TEST(again->sentence == each.first.sentence);
  }
}

BOOST_AUTO_TEST_CASE(the_same_words_on_two_lines_are_two_failures) {
  const ExploreResult result =
      explore({.strategy = "dfs", .schedules_max = 1'000'000, .continues = true}, three_mistakes);
  BOOST_TEST(result.exhausted);
  std::size_t checks = 0;
  for (const DistinctFailure& each : result.failures) {
    checks += each.first.kind == "violation" ? 1 : 0;
  }
  BOOST_TEST(checks == 2U);
}

BOOST_DATA_TEST_CASE(by_default_an_exploration_ends_at_its_first_failure, all, strategy) {
  const ExploreResult result =
      explore({.strategy = strategy, .schedules_max = 1'000}, deadlock_or_check);
  BOOST_REQUIRE(result.failure.has_value());
  BOOST_REQUIRE(result.failures.size() == 1U);
  BOOST_TEST(result.failures[0].count == 1U);
  BOOST_TEST(result.failures[0].first_run + 1 == result.next_run);
}

BOOST_DATA_TEST_CASE(each_completed_run_is_seen_once_also_in_pieces, all, strategy) {
  const bool is_search = strategy == "dfs" || strategy == "dpor";  // which has no pieces
  std::set<std::size_t> numbers;
  std::size_t seen = 0;
  std::size_t failed = 0;
  std::size_t executions = 0;
  ExploreOptions options{.strategy = strategy,
                         .schedules_max = is_search ? std::size_t{1'000'000} : 200,
                         .continues = true};
  options.completed = [&](const CompletedRun& run) {
    ++seen;
    numbers.insert(run.number);
    failed += run.result.failure ? 1 : 0;
    BOOST_TEST(!run.result.abandoned);
  };
  ExploreResult part;
  do {
    options.keep_going = [is_search](const ExploreResult& so_far) {
      return is_search || so_far.executions < 30;
    };
    part = explore(options, deadlock_or_check);
    executions += part.executions;
    options.first_run = part.next_run;
  } while (part.interrupted);
  BOOST_TEST(seen == executions);
  BOOST_TEST(numbers.size() == seen);
  BOOST_TEST(failed > 0U);
  BOOST_TEST(failed < seen);
}

BOOST_AUTO_TEST_CASE(an_abandoned_run_is_not_seen) {
  Outcome outcome;
  const Program program = last_zero(outcome, 4);
  std::size_t seen = 0;
  ExploreOptions options{.strategy = "dpor", .schedules_max = 100'000};
  options.completed = [&](const CompletedRun&) { ++seen; };
  const ExploreResult result = explore(options, program.body);
  BOOST_TEST(result.exhausted);
  BOOST_TEST(seen == result.executions);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::sim
