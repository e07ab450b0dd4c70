#include "exercises/sandbox/sandbox.hpp"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <csignal>
#include <string>

#include "exercises/sandbox/guard.hpp"
#include "exercises/sandbox/processes.hpp"

namespace watchlab::course {

BOOST_AUTO_TEST_SUITE(sandbox_test)

namespace {

Ended run_script(Sandbox& sandbox, const std::string& script, const Confinement& confinement) {
  return sandbox.run(
      {.words = {"/bin/sh", "-c", script}, .environment = {"PATH=/usr/bin:/bin"}, .folder = "/usr"},
      confinement);
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_many_processes_use_is_added_up) {
  constexpr const char* script =
      "hold() { python3 -c 'kept = bytearray(100 << 20); input()'; }\n"
      "sleep 60 | hold & sleep 60 | hold & wait";
  Sandbox sandbox;
  const Ended alone = run_script(sandbox, "echo fine", {.resident_bytes = 150 << 20});
  BOOST_TEST(describe(alone) == "exit status 0");
  const Ended ended = run_script(sandbox, script, {.resident_bytes = 150 << 20});
  BOOST_TEST(describe(ended) == "its processes used more than 150 MiB of memory together");
}

BOOST_AUTO_TEST_CASE(what_a_program_writes_is_limited_wherever_it_writes_it) {
  Sandbox sandbox;
  const Confinement confinement{.received_bytes = 1 << 20};
  for (const std::string to : {"1", "2", "3"}) {
    const Ended little = run_script(sandbox, "head -c 1000000 /dev/urandom >&" + to, confinement);
    BOOST_TEST(describe(little) == "exit status 0");
    const Ended much = run_script(sandbox, "cat /dev/urandom >&" + to, confinement);
    BOOST_TEST(describe(much) == "it wrote more than 1 MiB");
  }
}

BOOST_AUTO_TEST_CASE(a_program_ends_with_the_time_of_the_grade_that_it_belongs_to) {
  using std::chrono::milliseconds;
  Sandbox sandbox;
  const auto until = std::chrono::steady_clock::now() + milliseconds(300);
  const Ended ended =
      run_script(sandbox, "while true; do echo; sleep 0.01; done", {.until = until});
  BOOST_TEST(describe(ended) == "the time for the whole grade was over");
  BOOST_TEST((ended.wall < milliseconds(5000)));
}

// Of all processes together, those that have ended among them.
BOOST_AUTO_TEST_CASE(what_many_processes_take_of_the_processor_is_added_up) {
  Sandbox sandbox;
  const Ended ended =
      run_script(sandbox,
                 "spin() { i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; }; "
                 "while true; do spin & spin & wait; done",
                 {.silence = std::chrono::minutes(10), .processor_max = std::chrono::seconds(2)});
  BOOST_TEST(describe(ended) == "it used 2 s of the processor");
  BOOST_TEST(ended.lacked_time);
}

namespace {

/// Whether that comes to be the case of a child that computes, or that waits, in many looks.
bool comes_to_run(bool computes, bool wanted) {
  const pid_t child = ::fork();
  if (child == 0) {
    for (volatile bool forever = computes; forever;) {
    }
    ::pause();
    ::_exit(0);
  }
  bool is_so = false;
  for (int i = 0; i < 10'000 && !is_so; ++i) {
    ::poll(nullptr, 0, 1);
    is_so = a_descendant_could_run() == wanted;
  }
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  return is_so;
}

}  // namespace

// On a busy machine the time of what computes is that of the processor.
BOOST_AUTO_TEST_CASE(a_program_that_computes_could_run_and_one_that_waits_could_not) {
  BOOST_TEST(comes_to_run(true, true));
  BOOST_TEST(comes_to_run(false, false));
}

BOOST_AUTO_TEST_CASE(what_a_killed_grader_has_left_is_ended_before_a_run) {
  if (::geteuid() != 0) {
    BOOST_TEST_MESSAGE("only root runs programs as another user");
    return;
  }
  uid_t user = 0;
  {
    Sandbox sandbox;
    user = static_cast<uid_t>(std::stoul(run_script(sandbox, "id -u", {}).output));
  }
  Connection ready;
  const pid_t left = ::fork();
  if (left == 0) {
    ::alarm(60);
    const bool became = ::setuid(user) == 0;
    ready.close_end(1);
    while (became) {
      ::pause();
    }
    ::_exit(1);
  }
  ready.close_end(1);
  char nothing = 0;
  BOOST_TEST(::read(ready.ends[0], &nothing, 1) == 0);
  const Sandbox next;
  int status = 0;
  ::waitpid(left, &status, 0);
  BOOST_TEST(WIFSIGNALED(status));
  BOOST_TEST(WTERMSIG(status) == SIGKILL);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::course
