// What tasks leak that cannot be unwound goes with a child process, or ends the exploration.
#include <algorithm>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/runtime/atomic.hpp"
#include "core/runtime/task.hpp"
#include "sim/explore/child_process.hpp"
#include "sim/explore/explore.hpp"
#include "tests/support/texts.hpp"

namespace watchlab::sim {
BOOST_AUTO_TEST_SUITE(leaks_test)

namespace {

namespace data = boost::unit_test::data;
using runtime::Runtime;
using tests::says;

/// Counts the runs that this process has seen.
int runs = 0;

/// Some orders end in a task that cannot be unwound, others in another failure, others hold.
void leak_at_times(Runtime& runtime) {
  ++runs;
  runtime::Atomic<int> one(runtime, 0, "one");
  runtime::Atomic<int> two(runtime, 0, "two");
  const runtime::Task task = runtime::spawn(runtime, "t", [&] {
    one.store(1);
    if (two.load() == 0) {
      std::terminate();
    }
  });
  (void)one.load();  // so that the task is mostly first
  (void)two.load();
  two.store(1);
  if (one.load() == 0) {
    task.join();
    throw std::runtime_error("too early");
  }
  task.join();
}

ExploreResult explored(ExploreOptions options) {
  runs = 0;
  options.continues = true;
  return explore(options, leak_at_times);
}

}  // namespace

BOOST_DATA_TEST_CASE(sampling_continues_in_children,
                     data::make({"random", "pct", "pos", "urw", "surw", "portfolio"}), strategy) {
  const ExploreResult whole = explored({.strategy = strategy, .schedules_max = 1'000});
  BOOST_REQUIRE(whole.lost_tasks > 100U);
  BOOST_REQUIRE(whole.failures.size() == 2U);
  const int runs_of_whole = runs;
  const ExploreResult result =
      explored({.strategy = strategy, .schedules_max = 1'000, .leak_bytes_max = 0});
  if (!may_fork()) {
    BOOST_TEST(!result.stopped.empty());
    return;
  }
  BOOST_TEST(runs < runs_of_whole / 2);  // the others were elsewhere
  BOOST_TEST(result.stopped == "");
  BOOST_TEST(!result.interrupted);
  BOOST_TEST(result.executions == whole.executions);
  BOOST_TEST(result.next_run == whole.next_run);
  BOOST_TEST(result.lost_tasks == whole.lost_tasks);
  BOOST_REQUIRE(result.failures.size() == whole.failures.size());
  for (std::size_t i = 0; i < whole.failures.size(); ++i) {
    BOOST_TEST(result.failures[i].first.sentence == whole.failures[i].first.sentence);
    BOOST_TEST(result.failures[i].first.schedule == whole.failures[i].first.schedule);
    BOOST_TEST(result.failures[i].first_run == whole.failures[i].first_run);
    BOOST_TEST(result.failures[i].count == whole.failures[i].count);
  }
  BOOST_REQUIRE(result.failure);
  BOOST_TEST(result.failure->sentence == whole.failure->sentence);
}

BOOST_AUTO_TEST_CASE(children_are_asked_to_stop_and_count_what_they_played) {
  ExploreOptions options{.schedules_max = 1'000, .coverage = true, .leak_bytes_max = 0};
  options.keep_going = [](const ExploreResult& so_far) { return so_far.executions < 500; };
  const ExploreResult result = explored(options);
  if (may_fork()) {
    BOOST_TEST(result.interrupted);
    BOOST_TEST(result.stopped == "");
    BOOST_TEST(result.executions == 500U);
    BOOST_TEST(result.next_run == 500U);
    BOOST_TEST(result.coverage.runs() == 500U);
  }
}

BOOST_AUTO_TEST_CASE(an_exception_that_ends_a_child_reaches_the_caller) {
  int played = 0;
  const auto body = [&](Runtime& runtime) {
    if (++played == 50) {
      throw 1;  // not a std::exception: it is none of the program's findings
    }
    leak_at_times(runtime);
  };
  BOOST_CHECK_THROW(
      explore({.schedules_max = 1'000, .repeats = false, .leak_bytes_max = 0, .continues = true},
              body),
      int);
}

BOOST_DATA_TEST_CASE(a_search_stops_with_a_sentence, data::make({"dfs", "dpor"}), strategy) {
  const ExploreResult whole = explored({.strategy = strategy});
  BOOST_REQUIRE(whole.exhausted);
  const ExploreResult result = explored({.strategy = strategy, .leak_bytes_max = 0});
  BOOST_TEST(!result.exhausted);
  BOOST_TEST(result.interrupted);
  BOOST_TEST(says(result.stopped, "stopped: 1 tasks of failed runs could not be unwound"),
             result.stopped);
  BOOST_TEST(!says(result.stopped, "another process"), result.stopped);
  BOOST_TEST(result.executions < whole.executions);
}

BOOST_AUTO_TEST_CASE(who_wants_to_see_each_run_or_learns_from_all_stops_too) {
  ExploreOptions options{.leak_bytes_max = 0};
  options.completed = [](const CompletedRun&) {};
  BOOST_TEST(!explored(options).stopped.empty());
  BOOST_TEST(!explored({.strategy = "feedback", .leak_bytes_max = 0}).stopped.empty());
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace watchlab::sim
