#include "sim/http/lockstep/partner_process.hpp"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/test/unit_test.hpp>
#include <csignal>
#include <memory>
#include <stdexcept>

#include "sim/story/program_start.hpp"

using namespace watchlab;
using namespace watchlab::sim;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(partner_process_test)

namespace {

/// A program in shell. All of them read the hello; the first words of most are the right answer.
PartnerCommand shell(const std::string& script) {
  return {.words = {"sh", "-c", "read hello <&3; " + script}, .answer_max = 60s};
}

std::string greeting() { return "echo 'watchlab-lockstep 1 {}' >&3; "; }

/// What the first frame is answered; "" for a good answer. "slow: " stands before what took time.
std::string failure_of(PartnerCommand command) {
  PartnerProcess process(std::move(command));
  const api::Result<void> greeted = process.greet({.client = "go"});
  if (!greeted) {
    return "greeting: " + greeted.error().message;
  }
  const api::Result<FrameFromPartner> answer = process.exchange({});
  if (answer) {
    return "";
  }
  const bool is_slow = answer.error().kind == api::ErrorKind::Timeout;
  return (is_slow ? "slow: " : "") + answer.error().message;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_frame_is_a_length_and_json) {
  PartnerProcess process(shell(greeting() +
                               "head -c 15 <&3 >/dev/null; "
                               "printf '\\000\\000\\000\\011{\"now\":5}' >&3; read more <&3"));
  BOOST_TEST_REQUIRE(process.greet({.client = "go"}).ok());
  const api::Result<FrameFromPartner> answer = process.exchange({});
  BOOST_TEST_REQUIRE(answer.ok());
  BOOST_TEST((answer->now == runtime::TimePoint(5ns)));
  BOOST_TEST(frame_text({}).substr(0, 4) == std::string("\0\0\0\x0b", 4));
  BOOST_TEST(frame_text({}).substr(4) == "{\"until\":0}");
}

BOOST_AUTO_TEST_CASE(a_hello_says_who_plays_what_from_when_on) {
  BOOST_TEST(hello_line({.client = "go",
                         .scenario = "demo",
                         .seed = 7,
                         .life = 2,
                         .epoch = runtime::TimePoint(5ns)}) ==
             "watchlab-lockstep 1 "
             "{\"client\":\"go\",\"scenario\":\"demo\",\"seed\":7,\"life\":2,\"epoch\":5}");
}

BOOST_AUTO_TEST_CASE(turns_and_swaps_of_goroutines_stand_in_frames) {
  BOOST_TEST(hello_line({.client = "go", .chosen = true}).ends_with(",\"chosen\":true}"));
  BOOST_TEST(frame_text({.turns = "abc"}).substr(4) == R"({"until":0,"turns":"YWJj"})");
  const api::Result<FrameFromPartner> answer =
      frame_from(R"({"now":5,"taken":2,"swaps":[{"place":"1@2:1.1","text":"one goes before"}]})");
  BOOST_TEST_REQUIRE(answer.ok());
  BOOST_TEST(answer->taken == 2U);
  BOOST_TEST((answer->swaps == std::vector<PartnerSwap>{{"1@2:1.1", "one goes before"}}));
  BOOST_TEST(frame_from(R"({"now":5,"taken":-1,"swaps":[0]})")->taken == 0U);
}

BOOST_AUTO_TEST_CASE(what_is_no_hello_is_refused) {
  BOOST_TEST(failure_of(shell("echo 'PASS here' >&3; read more <&3")) ==
             "greeting: began with what is no hello: PASS here; does it call watchlab.Test?");
  BOOST_TEST(failure_of(shell("echo 'watchlab-lockstep 9 {}' >&3; read more <&3")) ==
             "greeting: speaks version 9 of the protocol, and this program version 1: take the Go "
             "module and the program watchlab of the same release");
}

BOOST_AUTO_TEST_CASE(what_is_no_frame_is_refused) {
  BOOST_TEST(failure_of(shell(greeting() + "echo 'garbage' >&3; read more <&3")) ==
             "sent what is no frame: garb");
  BOOST_TEST(
      failure_of(shell(greeting() + "printf '\\000\\000\\000\\007nothing' >&3; read more <&3")) ==
      "sent what is no frame: nothing");
  BOOST_TEST(
      failure_of(shell(greeting() + "printf '\\000\\000\\000\\041{\"now\":5,\"events\":[{\"kind\":"
                                    "\"x\"}]}' >&3; read more <&3")) ==
      "sent what is no frame: {\"kind\":\"x\"}");
}

BOOST_AUTO_TEST_CASE(a_crash_is_reported_with_what_the_program_printed) {
  BOOST_TEST(failure_of(shell("echo 'panic: here'; exit 2")) ==
             "greeting: ended with status 2 in the middle of the story; it printed:\n"
             "  panic: here");
  // The words of a panic are shown however many goroutines follow them, and not what came before.
  const std::string long_one =
      failure_of(shell("seq 5000; echo 'fatal error: here'; seq 100000; exit 2"));
  BOOST_TEST(long_one.find("; it printed:\n  …\n  fatal error: here\n  1\n  2\n") !=
             std::string::npos);
  BOOST_TEST(long_one.ends_with("\n  …"));
  BOOST_TEST(failure_of(shell("echo 'panic: caught'; seq 5000; echo 'FAIL'; exit 1"))
                 .ends_with("\n  5000\n  FAIL"));
  BOOST_TEST(
      failure_of(shell("echo 'watchlab-place 1.1.1 /a/b.go:5 /a/b.go:9 - 4 1.1.2 /a/b.go:6 "
                       "/a/c.go:8'; echo 'panic: here'; exit 2"))
          .ends_with("panic: here\nGoroutines that went before their turn:\n  goroutine 1.1.1 of "
                     "b.go:5, at b.go:9: goroutine 1.1.2 of b.go:6, at c.go:8, goes before it"));
  BOOST_TEST(failure_of(shell(greeting() + "kill -SEGV $$")).find("was ended by signal 11") == 0);
}

BOOST_AUTO_TEST_CASE(a_program_that_never_answers_is_ended) {
  PartnerCommand command = shell(greeting() + "read more <&3; exec sleep 1000");
  command.answer_max = 300ms;
  BOOST_TEST(failure_of(command) ==
             "slow: has not answered for 300 ms of real time, in which the clock of the story "
             "stands still");
}

BOOST_AUTO_TEST_CASE(a_program_that_computes_and_never_waits_is_ended) {
  PartnerCommand command = shell(greeting() + "while :; do :; done");
  command.computes_max = 300ms;
  BOOST_TEST(failure_of(command) ==
             "slow: runs in circles: it has computed for 300 ms without waiting for anything, and "
             "as long as it does, the clock of the story stands still");
}

namespace {

/// Whether that comes to be the case of a shell with this script, in many looks.
bool comes_to_run(const std::string& script, bool wanted) {
  const auto [process, failure] = start_program({.words = {"sh", "-c", script}, .has_group = true});
  BOOST_TEST_REQUIRE(failure == 0);
  bool is_so = false;
  for (int i = 0; i < 10'000 && !is_so; ++i) {
    ::poll(nullptr, 0, 1);
    is_so = could_run(process) == wanted;
  }
  ::kill(-process, SIGKILL);
  ::waitpid(process, nullptr, 0);
  return is_so;
}

}  // namespace

/// That time does not count in which it would go on if the machine were not busy.
BOOST_AUTO_TEST_CASE(a_program_could_run_that_computes_or_has_started_what_computes) {
  BOOST_TEST(comes_to_run("exec sleep 1000", false));
  BOOST_TEST(comes_to_run("sleep 1000 & wait", false));
  BOOST_TEST(comes_to_run("while :; do :; done", true));
  BOOST_TEST(comes_to_run("sleep 1000 & (sleep 1000 & while :; do :; done) & wait", true));
}

BOOST_AUTO_TEST_CASE(a_thread_computes_when_it_has_used_more_than_the_monitor_of_a_runtime) {
  const ThreadTicks before = {{7, 400}, {8, 10}};
  BOOST_TEST((computing_thread(before, {{7, 402}, {8, 13}, {9, 1}}) == 8));
  BOOST_TEST((computing_thread(before, {{8, 10}, {9, 3}}) == 9));
  BOOST_TEST((!computing_thread(before, {{7, 402}, {8, 12}, {9, 2}})));
}

BOOST_AUTO_TEST_CASE(the_place_of_a_goroutine_is_the_first_that_is_not_of_the_runtime) {
  BOOST_TEST(place_in_stacks("SIGQUIT: quit\nPC=0x4\n\n"
                             "goroutine 36 gp=0x5 m=0 mp=0x5 [running]:\n"
                             "runtime.asyncPreempt2()\n\t/go/src/runtime/preempt.go:320 +0x14\n"
                             "main.(*loop).circle(0x1)\n\t/home/x/main.go:6 fp=0x5 sp=0x5\n"
                             "created by main.main in goroutine 1\n\t/home/x/main.go:1 +0xa5\n") ==
             "main.go:6 (main.(*loop).circle)");
  BOOST_TEST(place_in_stacks("a program in another language") == "");
  BOOST_TEST(place_in_stacks("x\ngoroutine 0 [idle]:\n\nrax 0x5") == "");
}

BOOST_AUTO_TEST_CASE(an_end_that_is_none_is_a_failure) {
  PartnerProcess well(shell(greeting() + "exit 0"));
  BOOST_TEST(well.greet({}).ok());
  BOOST_TEST(well.finish().ok());
  PartnerProcess badly(shell(greeting() + "echo '--- FAIL: TestX'; exit 1"));
  BOOST_TEST(badly.greet({}).ok());
  const api::Result<void> ended = badly.finish();
  BOOST_TEST_REQUIRE(!ended.ok());
  BOOST_TEST(ended.error().message == "ended with status 1; it printed:\n  --- FAIL: TestX");
}

/// All that the program has started holds the other end of a pipe; it is at its end when none is
/// left.
BOOST_AUTO_TEST_CASE(no_child_of_the_program_is_left) {
  std::array<int, 2> pipe{};
  BOOST_TEST_REQUIRE(::pipe(pipe.data()) == 0);
  auto process =
      std::make_unique<PartnerProcess>(shell("sleep 1000 & sleep 1000 & " + greeting() + "wait"));
  ::close(pipe[1]);
  BOOST_TEST(process->greet({}).ok());
  process.reset();
  pollfd end{.fd = pipe[0], .events = POLLIN, .revents = 0};
  constexpr int limit_ms = 60'000;
  BOOST_TEST(::poll(&end, 1, limit_ms) == 1);
  BOOST_TEST((end.revents & POLLHUP) != 0);
  ::close(pipe[0]);
}

BOOST_AUTO_TEST_CASE(a_program_that_is_not_there_is_refused) {
  const auto is_named = [](const std::string& words) {
    return [words](const std::invalid_argument& refused) { return refused.what() == words; };
  };
  BOOST_CHECK_EXCEPTION(
      PartnerProcess({.words = {"./no-such-program"}}), std::invalid_argument,
      is_named("the program './no-such-program' cannot be run: No such file or directory"));
  BOOST_CHECK_EXCEPTION(PartnerProcess({.words = {"sh"}, .folder = "no/such/folder"}),
                        std::invalid_argument, is_named("there is no folder no/such/folder"));
}

BOOST_AUTO_TEST_SUITE_END()
