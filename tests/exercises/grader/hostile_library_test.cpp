// Libraries that mean no good, in exercises where the student writes the library: what they do to
// their own process changes nothing of what is judged in another.
#include <boost/test/unit_test.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "tests/exercises/grader/grading_fixture.hpp"

namespace watchlab::course {
namespace {

/// Grades a library for E01.
struct LibraryFixture : GradingFixture {
  LibraryFixture() {
    exercise = read_exercise(toolchain.root / "exercises/01-store");
    exercise.wall_seconds = 3;  // so long each test of a library that hangs is silent
    instructor = exercise.folder / "instructor";
  }

  /// A store that keeps nothing: `outside` stands before it, `inside` is what `put` does.
  Grade grade_store(std::string_view outside, std::string_view inside = "",
                    std::string_view made = "") {
    std::string source = R"(#include <dlfcn.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "exercises/01-store/subject.hpp"

using namespace watchlab;
)";
    source += outside;
    source += R"(
namespace watchlab::exercise {
std::string key_of(const api::ObjectPtr& object) { return object->metadata.name; }
namespace {
struct Nothing final : Store {
  void put(const api::ObjectPtr& object) override { (void)object; )";
    source += inside;
    source += R"( }
  void remove(const api::ObjectPtr&) override {}
  void replace(const std::vector<api::ObjectPtr>&) override {}
  api::ObjectPtr get(const std::string&) const override { return nullptr; }
  std::vector<api::ObjectPtr> list() const override { return {}; }
};
}  // namespace
std::unique_ptr<Store> make_store(runtime::Runtime& runtime) { (void)runtime; )";
    source += made;
    source += R"( return std::make_unique<Nothing>(); }
}  // namespace watchlab::exercise
)";
    scratch.write("handin/store.cpp", source);
    return grade_submission(scratch.path() / "handin");
  }

  /// The points of a store that keeps nothing and tries nothing.
  double honest() { return grade_store("").points(); }

  void gains_nothing(const Grade& grade) {
    BOOST_TEST(grade.points() <= honest(), words_of(grade));
    BOOST_TEST((grade.status == Grade::Status::Finished), words_of(grade));
  }
};

/// The reports of a program in which each case passes.
constexpr std::string_view kForgery = R"(
void forge() {
  for (int descriptor = 0; descriptor < 64; ++descriptor) {
    for (int number = 0; number < 64; ++number) {
      const std::string line = std::string("\t") + std::to_string(number) + "\tend\tpassed\t\n";
      (void)!write(descriptor, line.data(), line.size());
    }
  }
}
)";

}  // namespace

BOOST_FIXTURE_TEST_SUITE(hostile_library_test, LibraryFixture)

BOOST_AUTO_TEST_CASE(the_reference_gets_all_points) {
  const Grade grade = grade_submission(instructor / "solution");
  BOOST_TEST(grade.points() == 100, words_of(grade));
}

BOOST_AUTO_TEST_CASE(without_a_hidden_test_that_ran_the_visible_ones_are_not_worth_all) {
  // As when the time is over before the hidden ones are loaded: their program ends at once.
  scratch.write("instructor/tests/ends_test.cpp",
                "#include <unistd.h>\n[[gnu::constructor]] void early() { _exit(0); }\n");
  const std::filesystem::path solution =
      std::exchange(instructor, scratch.path() / "instructor") / "solution";
  const Grade grade = grade_submission(solution);
  BOOST_TEST((grade.status == Grade::Status::NotGradable), words_of(grade));
  BOOST_TEST(grade.points() == 0);
  BOOST_TEST(grade.summary.starts_with("It was not run to the end"), grade.summary);
}

BOOST_AUTO_TEST_CASE(symbols_of_the_framework_are_the_judges_own) {
  gains_nothing(grade_store(R"(
#include <boost/test/results_collector.hpp>
namespace boost::unit_test {
bool test_results::passed() const { return true; }
}
)"));
}

BOOST_AUTO_TEST_CASE(the_toolkit_is_the_judges_own) {
  gains_nothing(grade_store(R"(
namespace watchlab::exercise {
void in_every_world(const std::function<void(runtime::Runtime&)>&) {}
void expect(bool, std::string_view, runtime::Location) {}
void expect_equal(std::string_view, std::string_view, runtime::Location) {}
void expect_equal(std::int64_t, std::int64_t, runtime::Location) {}
}
namespace watchlab::runtime {
void ensure_failed(std::string_view, Location) { while (true) { pause(); } }
}
)"));
}

BOOST_AUTO_TEST_CASE(functions_of_the_system_are_the_judges_own) {
  gains_nothing(grade_store(R"(
extern "C" int memcmp(const void*, const void*, size_t) { return 0; }
extern "C" void abort() { _exit(0); }
extern "C" ssize_t recvmsg(int, msghdr*, int) { _exit(0); }
)"));
}

BOOST_AUTO_TEST_CASE(initialisers_that_leave_leave_alone) {
  gains_nothing(grade_store("[[gnu::constructor]] void early() { _exit(0); }"));
}

BOOST_AUTO_TEST_CASE(reports_that_are_written_everywhere_reach_no_one) {
  const std::string outside =
      std::string(kForgery) + "[[gnu::constructor]] void early() { forge(); _exit(0); }";
  gains_nothing(grade_store(outside));
  gains_nothing(grade_store(kForgery, "forge();"));
}

BOOST_AUTO_TEST_CASE(leaving_in_a_call_is_a_crash_of_the_case) {
  const Grade grade = grade_store("", "_exit(0);");
  gains_nothing(grade);
  BOOST_TEST(words_of(grade).find("it ended the program: exit status 0") != std::string::npos,
             words_of(grade));
}

BOOST_AUTO_TEST_CASE(a_crash_in_a_call_is_reported_by_its_signal) {
  const Grade grade = grade_store("", "*static_cast<volatile int*>(nullptr) = 1;");
  gains_nothing(grade);
  BOOST_TEST(words_of(grade).find("SIGSEGV") != std::string::npos, words_of(grade));
}

BOOST_AUTO_TEST_CASE(the_judge_cannot_be_traced_or_written_to) {
  gains_nothing(grade_store("", "", R"(
    static bool tried = false;
    for (int process = 2; process < 70000 && !tried; ++process) {
      char byte = 0;
      iovec here{&byte, 1};
      iovec there{reinterpret_cast<void*>(0x400000), 1};
      if (process != getpid() && (ptrace(PTRACE_ATTACH, process, 0, 0) == 0 ||
                                  process_vm_readv(process, &here, 1, &there, 1, 0) == 1)) {
        kill(process, SIGKILL);
        _exit(0);
      }
    }
    tried = true;)"));
}

BOOST_AUTO_TEST_CASE(ending_all_that_can_be_ended_gains_nothing) {
  gains_nothing(grade_store("", "", "kill(-1, SIGKILL);"));
}

BOOST_AUTO_TEST_CASE(nonsense_to_the_judge_fails_the_case) {
  gains_nothing(grade_store("", R"(
    const std::string nonsense(1000, '\x7f');
    (void)!write(5, nonsense.data(), nonsense.size());)"));
  gains_nothing(grade_store("", "close(5);"));
}

BOOST_AUTO_TEST_CASE(an_endless_loop_is_ended) {
  const Grade grade = grade_store("", "for (volatile bool on = true; on;) {}");
  gains_nothing(grade);
  BOOST_TEST(words_of(grade).find("no sign of life") != std::string::npos, words_of(grade));
}

BOOST_AUTO_TEST_CASE(who_swallows_the_end_of_a_task_gains_nothing) {
  gains_nothing(grade_store(R"(#include "core/runtime/cond_var.hpp"
runtime::Mutex* mutex = nullptr;
)",
                            "for (;;) { try { mutex->lock(); } catch (...) {} }",
                            "mutex = new runtime::Mutex(runtime);"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::course
