// What WATCHLAB_SCHEDULE and WATCHLAB_BREAK_AT in the environment make of an exploration.
#include "sim/explore/requested_replay.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "core/runtime/atomic.hpp"
#include "core/runtime/ensure.hpp"
#include "core/runtime/task.hpp"
#include "sim/explore/explore.hpp"
#include "sim/explore/replay_strategy.hpp"
#include "sim/kernel/schedule.hpp"
#include "sim/kernel/world.hpp"

namespace watchlab::sim {
BOOST_AUTO_TEST_SUITE(requested_replay_test)

namespace {

/// A variable of the environment while it is in scope.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    ::setenv(name, value.c_str(), 1);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { ::unsetenv(name_); }

 private:
  const char* name_;
};

void lost_update(runtime::Runtime& runtime) {
  runtime::Atomic<int> value(runtime, 0, "value");
  const auto increment = [&] {
    const int seen = value.load();
    value.store(seen + 1);
  };
  const runtime::Task other = runtime::spawn(runtime, "other", increment);
  increment();
  other.join();
  runtime::ensure(value.load() == 2, "an update was lost");
}

Failure found() { return explore({.strategy = "random"}, lost_update).failure.value(); }

/// How a child process ends that explores in this environment.
int status_of_child() {
  const pid_t child = ::fork();
  if (child == 0) {
    (void)std::freopen("/dev/null", "w", stderr);
    std::signal(SIGTRAP, SIG_DFL);
    (void)explore({.strategy = "random"}, lost_update);
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

}  // namespace

BOOST_AUTO_TEST_CASE(one_replay_can_be_played_again) {
  const Schedule schedule = Schedule::parse(found().schedule);
  BOOST_TEST(!schedule.deviations.empty());
  ReplayStrategy strategy(schedule, ReplayStrategy::Mode::Strict);
  World world({.seed = schedule.seed, .steps_max = schedule.steps_max});
  for (int i = 0; i < 2; ++i) {
    BOOST_TEST(world.run(strategy, lost_update).failure.has_value());
    BOOST_TEST(!strategy.divergence().has_value());
  }
}

BOOST_AUTO_TEST_CASE(nothing_is_requested_without_the_variables) {
  BOOST_TEST(!requested_replay().has_value());
}

BOOST_AUTO_TEST_CASE(explore_plays_the_schedule_that_the_environment_names_and_no_other) {
  const Failure failure = found();
  const Variable schedule("WATCHLAB_SCHEDULE", failure.schedule);
  const ExploreResult result = explore({.strategy = "fifo", .schedules_max = 500}, lost_update);
  BOOST_TEST(result.executions == 1U);
  BOOST_REQUIRE(result.failure.has_value());
  BOOST_TEST(result.failure->sentence == failure.sentence);
  BOOST_TEST(result.failure->schedule == failure.schedule);
}

BOOST_AUTO_TEST_CASE(a_schedule_that_the_body_does_not_follow_is_a_divergence) {
  const Variable schedule("WATCHLAB_SCHEDULE", found().schedule);
  const ExploreResult result = explore({}, [](runtime::Runtime&) {});
  BOOST_REQUIRE(result.failure.has_value());
  BOOST_TEST(result.failure->kind == "divergence");
}

BOOST_AUTO_TEST_CASE(a_schedule_can_stand_in_a_file) {
  const std::string path =
      std::filesystem::temp_directory_path() / ("watchlab-schedule-" + std::to_string(::getpid()));
  const std::string text = found().schedule;
  std::ofstream(path) << text << '\n';
  {
    const Variable schedule("WATCHLAB_SCHEDULE", "@" + path);
    BOOST_TEST(requested_replay().value().schedule == text);
  }
  std::filesystem::remove(path);
  const Variable schedule("WATCHLAB_SCHEDULE", "@" + path);
  BOOST_CHECK_THROW((void)requested_replay(), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_text_that_is_no_schedule_is_refused) {
  const Variable schedule("WATCHLAB_SCHEDULE", "w1:nonsense");
  BOOST_CHECK_THROW((void)explore({}, lost_update), InvalidSchedule);
}

BOOST_AUTO_TEST_CASE(scenarios_are_not_concerned) {
  const Variable schedule("WATCHLAB_SCHEDULE", found().schedule);
  const ExploreResult result =
      explore({.strategy = "fifo", .scenario = 7}, [](runtime::Runtime&) {});
  BOOST_TEST(!result.failure.has_value());
}

BOOST_AUTO_TEST_CASE(a_process_stops_by_sigtrap_at_the_step_that_is_asked_for) {
  const Failure failure = found();
  const Variable schedule("WATCHLAB_SCHEDULE", failure.schedule);
  BOOST_TEST(WIFEXITED(status_of_child()));
  {
    const Variable step("WATCHLAB_BREAK_AT", std::to_string(failure.steps));
    const int status = status_of_child();
    BOOST_TEST(WIFSIGNALED(status));
    BOOST_TEST(WTERMSIG(status) == SIGTRAP);
  }
  const Variable step("WATCHLAB_BREAK_AT", std::to_string(failure.steps + 1));
  BOOST_TEST(WIFEXITED(status_of_child()));
}

BOOST_AUTO_TEST_CASE(a_step_must_be_a_number_and_have_a_schedule) {
  const Variable step("WATCHLAB_BREAK_AT", "soon");
  BOOST_CHECK_THROW((void)requested_replay(), std::invalid_argument);
  const Variable schedule("WATCHLAB_SCHEDULE", "w1:0:1:::8ee82fa5");
  BOOST_CHECK_THROW((void)requested_replay(), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(the_line_to_paste_names_program_and_case) {
  BOOST_TEST(replay_line("w1:0:1:::8ee82fa5", "build/my_test", "suite/case") ==
             "WATCHLAB_SCHEDULE=w1:0:1:::8ee82fa5 build/my_test --run_test=suite/case");
  BOOST_TEST(replay_line("w1:0:1:::8ee82fa5", "build/my_test --gtest_filter=a.b") ==
             "WATCHLAB_SCHEDULE=w1:0:1:::8ee82fa5 build/my_test --gtest_filter=a.b");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::sim
