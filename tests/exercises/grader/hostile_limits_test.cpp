// Submissions that take more of something than there is to take: the grader says so and goes on.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <string>

#include "tests/exercises/grader/grading_fixture.hpp"
#include "tests/exercises/grader/hostile_sources.hpp"

namespace watchlab::course {
namespace {

/// Adds `count` tests with that name and a number, each of which does what `body` says.
std::string many_tests(const std::string& count, const std::string& name, const std::string& body) {
  return R"(
    const bool added = [] {
      for (int i = 0; i < )" +
         count + R"(; ++i) {
        boost::unit_test::framework::master_test_suite().add(boost::unit_test::make_test_case(
            [] { )" +
         body + "}, " + name + R"( + std::to_string(i), "file", 1));
      }
      return true;
    }();)";
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(hostile_limits_test, GradingFixture)

BOOST_AUTO_TEST_CASE(output_without_end_is_ended) {
  is_worth_nothing(grade_source(hostile_source(R"(
    static char bytes[65536];
    while (write(1, bytes, sizeof bytes) >= 0) {})")),
                   "it wrote more than 32 MiB");
}

BOOST_AUTO_TEST_CASE(a_line_of_a_report_without_end_is_ended) {
  is_worth_nothing(grade_source(hostile_source(R"(
    static char bytes[65536];
    while (write(3, bytes, sizeof bytes) >= 0) {})")),
                   "it wrote more than 32 MiB");
}

BOOST_AUTO_TEST_CASE(thousands_of_tests_are_refused) {
  is_worth_nothing(grade_source(hostile_source("", many_tests("5000", "\"t\"", ""))),
                   "it has 5001 tests; at most 500 are run");
}

BOOST_AUTO_TEST_CASE(a_test_with_a_name_that_is_too_long_is_refused) {
  is_worth_nothing(
      grade_source(hostile_source("", many_tests("2", "std::string(1 << 20, 'n')", ""))),
      "a name of its tests has 1048577 letters; at most 200 are read");
}

BOOST_AUTO_TEST_CASE(a_test_with_the_longest_name_is_met) {
  const Grade grade =
      grade_source(hostile_source("", many_tests("1", "std::string(199, 'n')", "")));
  BOOST_TEST((grade.status == Grade::Status::Finished));
  const std::string name = std::string(kSubjectBytesMax - 1, 'n') + "0";
  BOOST_TEST(std::ranges::count(grade.cases, name, &GradeCase::id) == 1);
}

BOOST_AUTO_TEST_CASE(a_suite_that_takes_too_long_is_not_graded) {
  time_max = std::chrono::seconds(1);
  const Grade grade = grade_source(
      hostile_source("", many_tests("300", "\"t\"", "for (volatile bool on = true; on;) {}")));
  BOOST_TEST((grade.status == Grade::Status::NotGradable));
  is_worth_nothing(grade,
                   "it takes too long, and not all libraries were run. 2 s of the processor");
  BOOST_TEST((grade.summary.find("Its slowest tests, all runs together: t") != std::string::npos),
             grade.summary);
}

BOOST_AUTO_TEST_CASE(a_suite_that_hangs_outside_of_its_tests_is_given_up) {
  const Grade grade = grade_source(
      hostile_source("", "[[gnu::constructor]] void early() { for (;;) { pause(); } }"));
  BOOST_TEST((grade.status == Grade::Status::NotGradable));
  is_worth_nothing(grade, "it hangs outside any test");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::course
