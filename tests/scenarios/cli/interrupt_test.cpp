#include "scenarios/command_line/interrupt.hpp"

#include <fmt/format.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <ostream>
#include <string>
#include <vector>

#include "scenarios/command_line/console.hpp"
#include "tests/scenarios/cli/process.hpp"

namespace watchlab::scenarios {

BOOST_AUTO_TEST_SUITE(interrupt_test)

namespace {

using tests::says;

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

/// What a command that has nothing to say leaves on such a terminal when it is stopped.
std::string last_word_on(const std::string& terminal_type) {
  int terminal = -1;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
  if (child == 0) {
    ::setenv("TERM", terminal_type.c_str(), 1);
    end_when_stopped();
    (void)std::raise(SIGTERM);
    ::_exit(0);
  }
  std::string text;
  std::array<char, 64> part{};
  for (ssize_t count = 0; (count = ::read(terminal, part.data(), part.size())) > 0;) {
    text.append(part.data(), static_cast<std::size_t>(count));
  }
  (void)::close(terminal);
  BOOST_TEST(::waitpid(child, nullptr, 0) == child);
  return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_last_word_stands_over_a_line_of_progress_where_that_can_be) {
  BOOST_TEST(last_word_on("xterm") == "\r\033[Kstopped\r\n");
  BOOST_TEST(last_word_on("dumb") == "stopped\r\n");
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

namespace {

/// A story that fails when a client stops between two objects, and has many other orders.
const std::string hasty_story =
    "apiVersion: watchlab/v1\nname: hasty\nstory: s\n"
    "clients: [{name: x, kind: informer, handlers: [{name: h}]}, {name: y, kind: informer},\n"
    "  {name: z, kind: informer}]\n"
    "script: [{create: one}, {create: two}]\nuntil: {handled: {of: h, count: 1}}\n"
    "expect: [{of: x, store: {exactly: [one, two]}}]\n";

tests::Finished interrupted(const tests::TemporaryFolder& folder, std::vector<std::string> words) {
  words.insert(words.begin(), {"XDG_STATE_HOME=" + folder.path("state"), WATCHLAB_EXECUTABLE});
  return tests::run_watchlab(words, {.program = "/usr/bin/env", .interrupted = true});
}

}  // namespace

BOOST_AUTO_TEST_CASE(nothing_is_read_from_a_folder_that_others_may_write) {
  const tests::TemporaryFolder folder;
  const std::string path = folder.write("hasty.yaml", hasty_story);
  const std::string state = folder.path(fmt::format("watchlab-{}", ::geteuid()));
  const auto play = [&](const char* command) {
    return tests::run_watchlab({"-u", "HOME", "-u", "XDG_STATE_HOME", "TMPDIR=" + folder.path(""),
                                WATCHLAB_EXECUTABLE, command, path},
                               {.program = "/usr/bin/env"});
  };
  BOOST_TEST(play("explore").exit_code == 1);
  const tests::Finished own = play("explain");
  BOOST_TEST(own.exit_code == 1, own.err);
  BOOST_TEST(says(own.err, state), own.err);
  std::filesystem::permissions(state, std::filesystem::perms::all);
  for (const char* const command : {"explore", "explain"}) {
    const tests::Finished refused = play(command);
    BOOST_TEST(refused.exit_code == 2, refused.err);
    BOOST_TEST(says(refused.err, "watchlab-"), refused.err);
    BOOST_TEST(says(refused.err, " is no folder of this user alone; set HOME or XDG_STATE_HOME\n"),
               refused.err);
  }
}

BOOST_AUTO_TEST_CASE(shrink_keeps_the_shortest_schedule_so_far_when_a_signal_comes) {
  const tests::TemporaryFolder folder;
  const std::string path = folder.write("hasty.yaml", hasty_story);
  const std::string junit = folder.path("junit.xml");
  const std::string state = "XDG_STATE_HOME=" + folder.path("state");
  const tests::Finished found = tests::run_watchlab(
      {state, WATCHLAB_EXECUTABLE, "explore", path, "--strategy", "random", "--schedules", "1000"},
      {.program = "/usr/bin/env"});
  BOOST_TEST_REQUIRE(found.exit_code == 1, found.err);
  const tests::Finished stopped =
      interrupted(folder, {"shrink", path, "--prove", "--time", "1h", "--junit", junit});
  BOOST_TEST(stopped.exit_code == kExitInterrupted, stopped.err);
  BOOST_TEST(stopped.out.starts_with("w1:"), stopped.out);
  BOOST_TEST(says(stopped.err, "; a signal came before all was tried\n"), stopped.err);
  BOOST_TEST(says(tests::read_whole(junit), "failures=\"1\""));
  const std::string to_continue = "stopped; to continue:\n  ";
  const std::size_t at = stopped.err.find(to_continue);
  BOOST_TEST_REQUIRE(at != std::string::npos, stopped.err);
  const std::string line = stopped.err.substr(at + to_continue.size());
  BOOST_TEST(says(line, " shrink "), line);
  BOOST_TEST(says(line, " --prove --time 1h --junit " + junit + " --schedule @"), line);
  std::string kept = line.substr(line.find(" @") + 2);
  kept = tests::read_whole(kept.substr(0, kept.find('\n')));
  BOOST_TEST(kept == stopped.out);  // the shortest so far
  const tests::Finished replayed = tests::run_watchlab(
      {"replay", path, "--schedule", stopped.out.substr(0, stopped.out.find('\n'))});
  BOOST_TEST(replayed.exit_code == 1, replayed.err);
  const tests::Finished as_json = interrupted(folder, {"shrink", path, "--prove", "--json"});
  BOOST_TEST(as_json.exit_code == kExitInterrupted);
  BOOST_TEST(says(as_json.out, "\"interrupted\":true"), as_json.out);
}

BOOST_AUTO_TEST_CASE(explain_says_what_is_known_when_a_signal_comes) {
  const tests::TemporaryFolder folder;
  const std::string path = folder.write(
      "broken.yaml",
      "apiVersion: watchlab/v1\nname: broken\nstory: s\nclients: [{name: x, kind: informer}]\n"
      "script: [{create: demo}]\nexpect: [{store: {exactly: []}}]\n");
  const tests::Finished stopped = interrupted(folder, {"explain", path, "--endings", kNever});
  BOOST_TEST(stopped.exit_code == kExitInterrupted, stopped.err);
  BOOST_TEST(says(stopped.out, "What went wrong:"), stopped.out);
  BOOST_TEST(says(stopped.out, "Schedule: w1:"), stopped.out);
  BOOST_TEST(says(stopped.err, "explain begins again with:\n  "), stopped.err);
  BOOST_TEST(says(stopped.err, " --endings " + kNever), stopped.err);
}

BOOST_DATA_TEST_CASE(of_a_folder_what_was_played_is_reported_when_a_signal_comes,
                     boost::unit_test::data::make({"run", "digest"}), command) {
  const tests::TemporaryFolder folder;
  const std::string junit = folder.path("junit.xml");
  std::vector<std::string> words{command};
  words.insert(words.end(), 20, "scenarios");
  const bool has_junit = words[0] == "run";
  words.insert(words.end(), {has_junit ? "--junit" : "--jobs", has_junit ? junit : "2"});
  const tests::Finished stopped = interrupted(folder, words);
  BOOST_TEST(stopped.exit_code == kExitInterrupted, stopped.err);
  BOOST_TEST(says(stopped.err, "stopped: "), stopped.err);
  BOOST_TEST(says(stopped.err, " were not played; to continue, from the beginning:\n  "),
             stopped.err);
  BOOST_TEST(says(stopped.err, " " + words[0] + " scenarios scenarios "), stopped.err);
  if (has_junit) {
    BOOST_TEST(says(stopped.out, " not played, in "), stopped.out);
    BOOST_TEST(says(tests::read_whole(junit),
                    "<skipped message=\"the call ended before it was played\"/>"));
  }
}

BOOST_AUTO_TEST_CASE(a_replay_that_a_signal_stops_is_neither_held_nor_failed) {
  const TemporaryFolder folder;
  const std::string junit = folder.path("junit.xml");
  const tests::Finished stopped =
      interrupted(folder, {"replay", "missed_delete", "--schedule", "default", "--times", kNever,
                           "--json", "--junit", junit});
  BOOST_TEST(stopped.exit_code == kExitInterrupted, stopped.err);
  BOOST_TEST(says(stopped.out, "\"held\":false,\"kind\":\"stopped\""), stopped.out);
  BOOST_TEST(says(tests::read_whole(junit), "<skipped message=\"a signal came after "));
  BOOST_TEST(says(stopped.err, "each time the same way; to continue, from the beginning:\n  "),
             stopped.err);
  BOOST_TEST(says(stopped.err, " replay missed_delete --schedule default --times "), stopped.err);
}

namespace {

/// Much to play, in one run.
const std::string crowded_story =
    "apiVersion: watchlab/v1\nname: crowd\nstory: s\nserver: {bulk_objects: 50000}\n"
    "clients: [{name: x, kind: informer}]\n";

}  // namespace

BOOST_DATA_TEST_CASE(what_has_nothing_to_say_yet_says_that_it_is_stopped_and_leaves_nothing,
                     boost::unit_test::data::make({"draw", "report", "trace"}) ^
                         boost::unit_test::data::make({"it.svg", "it.html", "it.jsonl"}),
                     command, output) {
  const tests::TemporaryFolder folder;
  const std::string path = folder.write("crowd.yaml", crowded_story);
  std::filesystem::create_directory(folder.path("out"));
  const tests::Finished stopped =
      interrupted(folder, {command, path, "-o", folder.path("out/" + std::string(output))});
  BOOST_TEST(stopped.exit_code == kExitInterrupted, stopped.err);
  BOOST_TEST(stopped.err.ends_with("stopped\n"), stopped.err);
  BOOST_TEST(std::filesystem::is_empty(folder.path("out")));
}

/// For some commands the launcher execs one of these. The signal arrives before Python has started.
BOOST_DATA_TEST_CASE(ctrl_c_while_python_starts_ends_it_without_a_word,
                     boost::unit_test::data::make({"variants/play.py", "museum/go_piece.py"}),
                     program) {
  const std::string call = fmt::format(
      "env --block-signal=INT sh -c 'kill -INT $$; exec python3 tests/{} run x' 2>&1", program);
  FILE* const pipe = ::popen(call.c_str(), "r");
  std::array<char, 4096> said{};
  BOOST_TEST(std::fread(said.data(), 1, said.size(), pipe) == 0U, said.data());
  const int status = ::pclose(pipe);
  BOOST_TEST(((WIFEXITED(status) && WEXITSTATUS(status) == 130) ||
              (WIFSIGNALED(status) && WTERMSIG(status) == SIGINT)));
  std::ifstream launcher("watchlab");
  const std::string text((std::istreambuf_iterator<char>(launcher)), {});
  BOOST_TEST(says(text, "exec env --block-signal=INT python3 "));
  BOOST_TEST(says(text, fmt::format("become_python \"$root/tests/{}\"", program)));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::scenarios
