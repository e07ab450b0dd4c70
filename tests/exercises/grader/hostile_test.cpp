// Submissions that mean no good: the grader lives, names the cause and gives no points for it.
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/test/unit_test.hpp>
#include <csignal>
#include <string>
#include <vector>

#include "exercises/programs/texts.hpp"
#include "exercises/sandbox/processes.hpp"
#include "tests/exercises/grader/grading_fixture.hpp"
#include "tests/exercises/grader/hostile_sources.hpp"

namespace watchlab::course {

BOOST_FIXTURE_TEST_SUITE(hostile_test, GradingFixture)

BOOST_AUTO_TEST_CASE(the_reference_gets_all_points) {
  const Grade grade = grade_submission(instructor / "solution");
  BOOST_TEST(grade.points() == 100, words_of(grade));
}

BOOST_AUTO_TEST_CASE(an_endless_loop_is_ended) {
  is_worth_nothing(grade_source(hostile_source("for (volatile bool on = true; on;) {}")),
                   "it hung with");
}

BOOST_AUTO_TEST_CASE(an_endless_virtual_loop_is_reported_in_steps) {
  is_worth_nothing(grade_source(hostile_source(R"(
    in_every_world([](Runtime& runtime) {
      while (true) { runtime.yield(watchlab::runtime::Location::current()); }
    });)")),
                   "steps, and no end");
}

BOOST_AUTO_TEST_CASE(a_fork_bomb_burns_out) {
  is_worth_nothing(grade_source(hostile_source("while (true) { fork(); }")), "it hung");
}

namespace {

/// The processes below this one that lead a session of their own, as what hides does. Processes of
/// other graders are below others.
std::vector<pid_t> hidden_below(pid_t process) {
  std::vector<pid_t> hidden;
  for (const pid_t child : children_of(process)) {
    if (::getsid(child) == child) {
      hidden.push_back(child);
    }
    const std::vector<pid_t> below = hidden_below(child);
    hidden.insert(hidden.end(), below.begin(), below.end());
  }
  return hidden;
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_hides_here_would_be_seen) {
  std::array<int, 2> ready{};
  BOOST_TEST_REQUIRE(::pipe(ready.data()) == 0);
  const pid_t parent = ::fork();
  if (parent == 0) {
    if (::fork() == 0) {
      ::setsid();
    }
    ::close(ready[1]);
    while (true) {
      ::pause();
    }
  }
  ::close(ready[1]);
  char none = 0;
  BOOST_TEST(::read(ready[0], &none, 1) == 0);  // when both have closed their end
  ::close(ready[0]);
  const std::vector<pid_t> hidden = hidden_below(::getpid());
  BOOST_TEST(hidden.size() == 1U);
  ::kill(parent, SIGKILL);
  ::waitpid(parent, nullptr, 0);
  BOOST_TEST((hidden_below(::getpid()) == hidden));  // an orphan is ours
  for (const pid_t each : hidden) {
    ::kill(each, SIGKILL);
    ::waitpid(each, nullptr, 0);
  }
}

BOOST_AUTO_TEST_CASE(what_hides_in_another_session_is_found) {
  const Grade grade = grade_source(hostile_source(R"(
    if (fork() == 0) {
      setsid();
      while (true) { pause(); }
    })"));
  BOOST_TEST(is_worth_what_it_notices(grade));
  // What is left has become a child of this process, and would still hold the sandbox's user.
  BOOST_TEST(hidden_below(::getpid()).empty());
}

BOOST_AUTO_TEST_CASE(ending_all_that_can_be_ended_ends_nothing_that_counts) {
  const Grade grade = grade_source(hostile_source("kill(-1, SIGKILL);"));
  BOOST_TEST(is_worth_what_it_notices(grade), words_of(grade));
}

BOOST_AUTO_TEST_CASE(stopping_all_that_can_be_stopped_stops_nothing_that_counts) {
  const Grade grade = grade_source(hostile_source("kill(-1, SIGSTOP);"));
  BOOST_TEST(is_worth_what_it_notices(grade), words_of(grade));
}

BOOST_AUTO_TEST_CASE(who_answers_in_place_of_the_program_ends_no_task) {
  const Grade grade = grade_source(hostile_source("", R"(
    extern "C" ssize_t recvmsg(int connection, msghdr*, int) {
      const pid_t grader = getppid();
      send(connection, &grader, sizeof grader, 0);
      while (true) { pause(); }
    })"));
  BOOST_TEST(is_worth_what_it_notices(grade), words_of(grade));  // the program asks its own
}

BOOST_AUTO_TEST_CASE(what_waits_for_the_next_run_cannot_be_looked_into) {
  is_worth_nothing(grade_source(hostile_source(R"(
    int opened = 0;
    for (int process = 2; process < 100000; ++process) {
      const std::string file = "/proc/" + std::to_string(process) + "/mem";
      opened += process != getpid() && open(file.c_str(), O_RDWR) >= 0 ? 1 : 0;
    }
    BOOST_TEST(opened > 0);)")),
                   "opened > 0");
}

BOOST_AUTO_TEST_CASE(ten_gigabytes_are_refused) {
  is_worth_nothing(grade_source(hostile_source(R"(
    const std::size_t size = 10ULL << 30;
    char* const bytes = new char[size];
    memset(bytes, 1, size);)")),
                   "std::bad_alloc");
}

BOOST_AUTO_TEST_CASE(leaving_early_is_no_success) {
  is_worth_nothing(grade_source(hostile_source("_exit(0);")),
                   "it ended the program: exit status 0");
}

BOOST_AUTO_TEST_CASE(leaving_before_the_first_case_is_no_success) {
  is_worth_nothing(grade_source(hostile_source("", "const int early = (_exit(0), 0);")),
                   "the program ended outside any test: exit status 0");
}

BOOST_AUTO_TEST_CASE(a_crash_is_reported_by_its_signal) {
  is_worth_nothing(grade_source(hostile_source("*static_cast<volatile int*>(nullptr) = 1;")),
                   "SIGSEGV");
}

BOOST_AUTO_TEST_CASE(the_results_file_cannot_be_written) {
  const std::string file = (scratch.path() / "results.json").string();
  const Grade grade =
      grade_source(hostile_source("std::ofstream(\"" + file + "\") << \"{}\"; chmod(\"" + file +
                                  "\", 0777); unlink(\"" + file + "\");"));
  BOOST_TEST(is_worth_what_it_notices(grade));
  BOOST_TEST(read_whole(file) == to_json(grade));
}

BOOST_AUTO_TEST_CASE(hidden_files_cannot_be_read_by_tests) {
  const std::string file = (exercise.folder / "variants/hidden/loses.cpp").string();
  is_worth_nothing(grade_source(hostile_source("std::string all; std::getline(std::ifstream(\"" +
                                               file + "\"), all); BOOST_REQUIRE(!all.empty());")),
                   "!all.empty()");
}

BOOST_AUTO_TEST_CASE(hidden_files_cannot_be_compiled_in) {
  const std::string file = (exercise.folder / "variants/hidden/loses.cpp").string();
  const Grade grade = grade_source("#include \"" + file + "\"\n" + hostile_source(""));
  BOOST_TEST((grade.status == Grade::Status::NotGradable));
  is_worth_nothing(grade, "It does not compile");
  BOOST_TEST(words_of(grade).find("value + 1") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(printed_results_are_only_words) {
  const Grade grade = grade_source(
      hostile_source(R"(printf("{\"score\": 100, \"tests\": []}\n"); fflush(stdout); _exit(0);)"));
  is_worth_nothing(grade, "it ended the program");
}

BOOST_AUTO_TEST_CASE(forged_reports_are_noticed_and_count_for_nothing) {
  const Grade grade = grade_source(hostile_source(R"(
    const char* const lie = "guess\t2\tend\tpassed\t\nguess\t3\tdone\t\t\n";
    write(3, lie, strlen(lie));
    _exit(0);)"));
  is_worth_nothing(grade, "false reports");
}

BOOST_AUTO_TEST_CASE(what_the_library_does_inside_cannot_be_read_in_the_story_of_a_run) {
  const Grade grade = grade_source(hostile_source(R"(
    const auto body = [](Runtime& runtime, bool) {
      (void)make_counter(runtime);
      throw std::runtime_error("on purpose");
    };
    const auto findings = watchlab::course::search_elsewhere({.seed = 1}, body);
    BOOST_TEST(findings.size() == 1);
    for (const auto& found : findings) {
      BOOST_TEST(found.text.starts_with("#"));
      BOOST_TEST(found.text.size() < 4);
      BOOST_TEST(found.schedule == "");
    })",
                                                  "#include \"exercises/toolkit/search.hpp\"\n"));
  BOOST_TEST(is_worth_what_it_notices(grade), words_of(grade));
}

BOOST_AUTO_TEST_CASE(what_a_task_holds_ends_in_its_world) {
  const Grade grade = grade_source(hostile_source(R"(
    in_every_world([](Runtime& runtime) {
      const auto counter = std::shared_ptr<Counter>(make_counter(runtime));
      watchlab::runtime::spawn(runtime, "t", [counter] { counter->add(); }).join();
      expect_equal(counter.use_count(), 1);
    });)"));
  BOOST_TEST(is_worth_what_it_notices(grade), words_of(grade));
}

BOOST_AUTO_TEST_CASE(what_is_kept_after_a_world_disturbs_no_other) {
  const Grade grade = grade_source(hostile_source(R"(
    static std::shared_ptr<Counter> kept;
    in_every_world([](Runtime& runtime) { kept = make_counter(runtime); });
    kept.reset();
    in_every_world([](Runtime& runtime) { kept = make_counter(runtime); });)"));
  BOOST_TEST(is_worth_what_it_notices(grade), words_of(grade));
}

BOOST_AUTO_TEST_CASE(the_settings_are_gone_when_the_students_code_starts) {
  is_worth_nothing(grade_source(hostile_source("BOOST_TEST(stolen > 0);", R"(
    char secret[4096];
    const ssize_t stolen = read(4, secret, sizeof secret);)")),
                   "stolen > 0");
}

BOOST_AUTO_TEST_CASE(an_exception_of_a_handler_is_named) {
  is_worth_nothing(grade_source(hostile_source(R"(
    in_every_world([](Runtime& runtime) {
      watchlab::runtime::spawn(runtime, "handler", [] {
        throw std::runtime_error("thrown on purpose"); }).join();
    });)")),
                   "thrown on purpose");
}

BOOST_AUTO_TEST_CASE(threads_and_their_races_do_not_count) {
  is_worth_nothing(grade_source(hostile_source(R"(
    int raced = 0;
    std::thread other([&] { ++raced; });
    ++raced;
    other.join();)")),
                   "it asks for threads");
}

BOOST_AUTO_TEST_CASE(a_test_that_always_fails_is_invalid) {
  is_worth_nothing(grade_source(hostile_source("BOOST_TEST(false);")),
                   "fails with a correct library");
}

BOOST_AUTO_TEST_CASE(a_test_that_always_passes_notices_nothing) {
  const Grade grade = grade_source(
      "#include <boost/test/unit_test.hpp>\nBOOST_AUTO_TEST_CASE(fine) { BOOST_TEST(true); }\n");
  is_worth_nothing(grade, "0 of 3 defects caught.");
}

BOOST_AUTO_TEST_CASE(no_test_at_all_is_worth_nothing) {
  const Grade grade = grade_source("#include <boost/test/unit_test.hpp>\n");
  BOOST_TEST(grade.points() == 0);
}

BOOST_AUTO_TEST_CASE(the_clock_is_no_witness) {
  is_worth_nothing(grade_source(hostile_source(R"(
    const auto now = std::chrono::system_clock::now().time_since_epoch().count();
    BOOST_TEST(now % 1000 != 0);)")),
                   "it asks for the time");
}

BOOST_AUTO_TEST_CASE(chance_is_no_witness) {
  is_worth_nothing(grade_source(hostile_source("BOOST_TEST(std::rand() % 1000 != 0);")),
                   "it asks for random numbers");
  is_worth_nothing(grade_source(hostile_source("BOOST_TEST(std::random_device()() != 0);")),
                   "it asks for random numbers");
}

BOOST_AUTO_TEST_CASE(a_test_that_depends_on_another_is_found_out) {
  const Grade grade = grade_source(hostile_source("++ran;", "int ran = 0;") +
                                   "BOOST_AUTO_TEST_CASE(second) { BOOST_TEST(ran == 1); }\n"
                                   "BOOST_AUTO_TEST_CASE(third) { BOOST_TEST(ran == 1); }\n"
                                   "BOOST_AUTO_TEST_CASE(fourth) { BOOST_TEST(ran == 1); }\n");
  BOOST_TEST((words_of(grade).find("passes and fails with the same correct library") !=
              std::string::npos));
}

BOOST_AUTO_TEST_CASE(the_grader_cannot_be_killed) {
  const Grade grade = grade_source(hostile_source("kill(getppid(), SIGKILL);"));
  BOOST_TEST(is_worth_what_it_notices(grade));
}

BOOST_AUTO_TEST_CASE(a_program_cannot_stop_itself) {
  const Grade grade = grade_source(hostile_source("raise(SIGSTOP);\nkill(0, SIGSTOP);"));
  BOOST_TEST(is_worth_what_it_notices(grade));
}

BOOST_AUTO_TEST_CASE(a_program_can_end_itself) {
  for (const std::string call : {"abort();", "__builtin_trap();", "kill(getpid(), SIGKILL);"}) {
    is_worth_nothing(grade_source(hostile_source(call)), call == "abort();"            ? "SIGABRT"
                                                         : call == "__builtin_trap();" ? "SIGILL"
                                                                                       : "SIGKILL");
  }
}

BOOST_AUTO_TEST_CASE(there_is_no_network) {
  is_worth_nothing(grade_source(hostile_source(R"(
    const int one = socket(AF_INET, SOCK_DGRAM, 0);
    sockaddr_in there{};
    there.sin_family = AF_INET;
    there.sin_port = htons(9);
    there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    BOOST_REQUIRE(connect(one, reinterpret_cast<sockaddr*>(&there), sizeof there) == 0);)")),
                   "connect");
}

BOOST_AUTO_TEST_CASE(a_link_to_the_file_of_another_is_no_submission) {
  std::filesystem::create_directories(scratch.path() / "handin");
  std::filesystem::create_symlink(instructor / "solution/counter_test.cpp",
                                  scratch.path() / "handin/counter_test.cpp");
  is_worth_nothing(grade_submission(scratch.path() / "handin"), "is missing");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::course
