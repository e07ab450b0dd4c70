#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <csignal>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "scenarios/command_line/console.hpp"
#include "tests/scenarios/cli/process.hpp"

namespace watchlab::scenarios {

BOOST_AUTO_TEST_SUITE(interrupt_test)

namespace {

constexpr std::chrono::hours kLong{1};

/// How a process ends that does this.
int status_of(const std::function<void()>& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    body();
  }
  int status = 0;
  BOOST_TEST_REQUIRE(::waitpid(child, &status, 0) == child);
  return status;
}

/// How a process ends that gets two signals and exits with 0 when it saw a request to stop.
int status_after(int first, int second, std::chrono::milliseconds together) {
  return status_of([&] {
    (void)std::signal(SIGHUP, SIG_DFL);  // who runs the tests behind nohup has it ignored
    const Interrupt interrupt(together);
    (void)std::raise(first);
    (void)std::raise(second);
    ::_exit(Interrupt::requested() ? 0 : 1);
  });
}

}  // namespace

BOOST_DATA_TEST_CASE(a_signal_that_comes_twice_at_once_asks_once,
                     boost::unit_test::data::make({SIGINT, SIGTERM, SIGHUP}), signal) {
  const int status = status_after(signal, signal, kLong);
  BOOST_TEST(WIFEXITED(status));
  BOOST_TEST(WEXITSTATUS(status) == 0);
}

BOOST_AUTO_TEST_CASE(the_other_half_of_a_pair_may_come_when_the_command_has_ended) {
  const int status = status_of([] {
    {
      const Interrupt interrupt(kLong);
      (void)std::raise(SIGTERM);
    }
    (void)std::raise(SIGTERM);
    ::_exit(0);
  });
  BOOST_TEST(WIFEXITED(status));
}

BOOST_AUTO_TEST_CASE(without_a_request_signals_end_the_program_when_the_command_has_ended) {
  const int status = status_of([] {
    { const Interrupt interrupt(kLong); }
    (void)std::raise(SIGTERM);
    ::_exit(0);
  });
  BOOST_TEST(WIFSIGNALED(status));
}

BOOST_DATA_TEST_CASE(a_second_signal_ends_the_program_whichever_was_the_first,
                     boost::unit_test::data::make({SIGINT, SIGTERM, SIGHUP}), first) {
  const int status = status_after(first, SIGTERM, std::chrono::milliseconds(0));
  BOOST_TEST(WIFSIGNALED(status));
  BOOST_TEST(WTERMSIG(status) == SIGTERM);
}

namespace {

/// A call of many runs that would take for ever, and its status when its time is over.
struct LongCall {
  std::vector<std::string> words;
  int when_time_is_over = 0;
};

std::ostream& operator<<(std::ostream& out, const LongCall& call) { return out << call.words[0]; }

const std::string kNever = "1000000000";
const std::vector<LongCall> long_calls{
    {{"fuzz", "--seeds", "1..1", "--schedules", kNever}, 2},  // not one story was played
    {{"replay", "missed_delete", "--schedule", "default", "--times", kNever}, 0},
    {{"draw", "missed_delete", "--view", "explored", "--strategy", "random", "--schedules", kNever},
     0},
};

}  // namespace

BOOST_DATA_TEST_CASE(what_plays_many_runs_ends_between_two_when_its_time_is_over, long_calls,
                     call) {
  std::vector<std::string> words = call.words;
  words.insert(words.end(), {"--time", "100ms"});
  const tests::Finished finished = tests::run_watchlab(words);
  BOOST_TEST(finished.exit_code == call.when_time_is_over, finished.err);
  BOOST_TEST(!finished.err.empty());
}

BOOST_DATA_TEST_CASE(what_plays_many_runs_ends_between_two_when_a_signal_comes, long_calls, call) {
  const tests::TemporaryFolder state;
  std::vector<std::string> words{"XDG_STATE_HOME=" + state.path(""), WATCHLAB_EXECUTABLE};
  words.insert(words.end(), call.words.begin(), call.words.end());
  const tests::Finished finished =
      tests::run_watchlab(words, {.program = "/usr/bin/env", .interrupted = true});
  BOOST_TEST(finished.exit_code == kExitInterrupted, finished.err);
  BOOST_TEST(!finished.err.empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::scenarios
