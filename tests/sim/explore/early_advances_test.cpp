// Time that passes while a task can run: what the searches find, and what their verdict says.
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <string>

#include "core/runtime/mutex.hpp"
#include "core/runtime/task.hpp"
#include "core/runtime/time.hpp"
#include "sim/explore/explore.hpp"

namespace watchlab::sim {
BOOST_AUTO_TEST_SUITE(early_advances_test)

namespace {

using namespace std::chrono_literals;

/// One sleeps, so often, while the other has something to do.
auto sleeps_beside_work(int sleeps) {
  return [sleeps](runtime::Runtime& runtime) {
    runtime::Mutex mutex(runtime, "mutex");
    runtime::Task sleeper = spawn(runtime, "sleeper", [&runtime, sleeps] {
      for (int i = 0; i < sleeps; ++i) {
        runtime::sleep_for(runtime, 1ms);
      }
    });
    runtime::Task worker = spawn(runtime, "worker", [&mutex] { const runtime::Lock lock(mutex); });
    sleeper.join();
    worker.join();
  };
}

std::string verdict_of(ExploreOptions options, int sleeps) {
  options.schedules_max = 100'000;
  return verdict(explore(options, sleeps_beside_work(sleeps)));
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_verdict_is_relative_to_a_bound_on_early_advances_that_cut_something_off) {
  const std::string none = "exhausted (time does not pass while a task can run)";
  BOOST_TEST(verdict_of({.strategy = "dfs"}, 1) == none);
  BOOST_TEST(verdict_of({.strategy = "dpor"}, 1) == none);
  BOOST_TEST(verdict_of({.strategy = "dfs", .early_advances_max = 1}, 3) ==
             "exhausted (time passes at most once while a task can run)");
  BOOST_TEST(verdict_of({.strategy = "dfs", .early_advances_max = 2}, 3) ==
             "exhausted (time passes at most 2 times while a task can run)");
  BOOST_TEST(verdict_of({.strategy = "dfs", .early_advances_max = 1}, 1) == "exhausted");
}

BOOST_AUTO_TEST_CASE(the_verdict_on_a_program_without_deadlines_is_relative_to_nothing) {
  BOOST_TEST(verdict_of({.strategy = "dfs"}, 0) == "exhausted");
  BOOST_TEST(verdict_of({.strategy = "dpor"}, 0) == "exhausted");
  BOOST_TEST(verdict_of({.strategy = "random"}, 0) == "not exhausted");
}

BOOST_AUTO_TEST_CASE(the_verdict_is_relative_to_a_bound_of_preemptions_that_cut_something_off) {
  BOOST_TEST(verdict_of({.strategy = "dfs", .preemptions_max = 0}, 0) ==
             "exhausted (at most 0 preemptions)");
  BOOST_TEST(verdict_of({.strategy = "dfs", .preemptions_max = 0}, 1) ==
             "exhausted (time does not pass while a task can run; at most 0 preemptions)");
  BOOST_TEST(verdict_of({.strategy = "dfs", .delays_max = 2}, 0) == "exhausted (at most 2 delays)");
  BOOST_TEST(verdict_of({.strategy = "dfs", .preemptions_max = 50}, 0) == "exhausted");
}

BOOST_AUTO_TEST_CASE(a_search_that_continues_says_what_its_first_part_was_relative_to) {
  ExploreOptions options{.strategy = "dfs", .schedules_max = 1};
  ExploreResult part = explore(options, sleeps_beside_work(1));
  BOOST_TEST_REQUIRE(!part.state.empty());
  options.state = part.state;
  options.first_run = part.next_run;
  options.schedules_max = 100'000;
  part = explore(options, sleeps_beside_work(1));
  BOOST_TEST(verdict(part) == "exhausted (time does not pass while a task can run)");
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace watchlab::sim
