// Suites that bring functions of their own for those that judge them, or run before they are asked:
// the judge's names come first, and nothing of a suite runs before its run begins.
#include <boost/test/unit_test.hpp>
#include <string>

#include "tests/exercises/grader/grading_fixture.hpp"
#include "tests/exercises/grader/hostile_sources.hpp"

namespace watchlab::course {
namespace {

void says(const Grade& grade, const std::string& cause) {
  const std::string words = words_of(grade);
  BOOST_TEST((words.find(cause) != std::string::npos), words);
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(hostile_symbols_test, GradingFixture)

BOOST_AUTO_TEST_CASE(the_toolkits_session_cannot_be_replaced) {
  is_worth_nothing(grade_source(hostile_source("BOOST_TEST(std::rand() >= 0);", R"(
    namespace watchlab::course {
    struct Session { void note_asked(const char*); void end(bool, std::string_view); };
    void Session::note_asked(const char*) {}
    void Session::end(bool, std::string_view) {}
    })")),
                   "it asks for random numbers");
}

BOOST_AUTO_TEST_CASE(the_toolkits_session_cannot_be_called) {
  const Grade grade = grade_source(hostile_source("", R"(
    #include "exercises/toolkit/session.hpp"
    const bool lied = (watchlab::course::Session::of_program().end(true, ""), true);)"));
  BOOST_TEST((grade.status == Grade::Status::NotGradable), words_of(grade));
  says(grade, "Session::of_program");
}

BOOST_AUTO_TEST_CASE(the_toolkits_checks_are_its_own) {
  is_worth_nothing(grade_source(hostile_source("expect(false, \"never\");", R"(
    namespace watchlab::runtime {
    void ensure_failed(std::string_view, Location) { while (true) { pause(); } }
    }
    namespace watchlab::exercise {
    void expect(bool, std::string_view, watchlab::runtime::Location) {}
    })")),
                   "fails with a correct library");
}

BOOST_AUTO_TEST_CASE(the_frameworks_results_are_its_own) {
  is_worth_nothing(grade_source(hostile_source("BOOST_TEST(false);", R"(
    #include <boost/test/results_collector.hpp>
    namespace boost::unit_test {
    bool test_results::passed() const { return true; }
    })")),
                   "fails with a correct library");
}

BOOST_AUTO_TEST_CASE(functions_of_the_system_are_its_own) {
  BOOST_TEST(is_worth_what_it_notices(grade_source(hostile_source("", R"(
    extern "C" ssize_t write(int, const void*, size_t) { while (true) { pause(); } }
    extern "C" void exit(int) { while (true) { pause(); } }
    extern "C" int clock_gettime(clockid_t, timespec*) { while (true) { pause(); } })"))));
}

BOOST_AUTO_TEST_CASE(a_main_function_of_the_suite_is_not_called) {
  BOOST_TEST(is_worth_what_it_notices(
      grade_source(hostile_source("", "int main() { while (true) { pause(); } }"))));
}

BOOST_AUTO_TEST_CASE(what_a_constructor_reports_counts_for_nothing) {
  BOOST_TEST(is_worth_what_it_notices(grade_source(hostile_source("", R"(
    [[gnu::constructor]] void early() {
      const char* const lie = "guess\t0\tbegin\thostile\t\nguess\t1\tend\tpassed\t\n";
      (void)!write(3, lie, strlen(lie));
    })"))));
}

/// An indirect function is resolved by code of the suite, before any initialiser.
BOOST_AUTO_TEST_CASE(indirect_functions_are_resolved_behind_the_seccomp_filter) {
  BOOST_TEST(is_worth_what_it_notices(
      grade_source(hostile_source("indirect();\nBOOST_TEST(made_something < 0);", R"(
    long made_something = 0;
    void nothing() {}
    extern "C" void (*resolve())() {
      int ends[2];
      made_something = syscall(SYS_pipe2, ends, 0);
      return &nothing;
    }
    void indirect() __attribute__((ifunc("resolve")));)"))));
}

BOOST_AUTO_TEST_CASE(the_library_under_test_cannot_be_read_or_looked_at) {
  const std::string core = toolchain.libraries.back().filename().string();
  BOOST_TEST_REQUIRE(core.starts_with("libwatchlab-port.so."));
  is_worth_nothing(grade_source(hostile_source(R"(
    int found = 0;
    struct stat status {};
    for (const std::string folder : {"../subject/", "../base/"}) {
      for (const std::string name : {"libwatchlab-subject.so", ")" +
                                               core + R"("}) {
        found += open((folder + name).c_str(), O_RDONLY) >= 0 ? 1 : 0;
        found += folder == "../subject/" && stat((folder + name).c_str(), &status) == 0 ? 1 : 0;
      }
    }
    found += open("/proc/self/maps", O_RDONLY) >= 0 ? 1 : 0;
    BOOST_TEST(found > 0);)")),
                   "found > 0");
}

BOOST_AUTO_TEST_CASE(the_library_under_test_cannot_be_compiled_in) {
  const Grade grade = grade_source("asm(\".incbin \\\"../subject/libwatchlab-subject.so\\\"\");\n" +
                                   hostile_source(""));
  BOOST_TEST((grade.status == Grade::Status::NotGradable), words_of(grade));
  says(grade, "It does not compile");
}

#if defined(__x86_64__)
BOOST_AUTO_TEST_CASE(the_processors_clock_is_refused) {
  is_worth_nothing(grade_source(hostile_source("BOOST_TEST(__builtin_ia32_rdtsc() > 0);")),
                   "SIGSEGV");
}
#endif

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::course
