// What the runs of a suite come to: tests that know libraries by something else than what they do.
#include "exercises/grader/judge_suite.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <string>
#include <utility>
#include <vector>

namespace watchlab::course {
namespace {

using Outcome = CaseRun::Outcome;

/// A library that was met once, by tests named "a", "b", "c" that came to these ends.
MetLibrary met(const std::string& id, Pool pool, const std::vector<Outcome>& ends) {
  MetLibrary library{.variant = {.id = id, .pool = pool}, .runs = {{1, {}}}};
  for (std::size_t i = 0; i < ends.size(); ++i) {
    library.runs[0].run.cases.push_back(
        {.name = std::string(1, static_cast<char>('a' + i)), .outcome = ends[i]});
  }
  return library;
}

SuiteRuns judged(const std::vector<MetLibrary>& libraries,
                 const std::set<std::string>& left_out = {}) {
  SuiteRuns runs;
  judge_suite(runs, libraries, left_out);
  return runs;
}

constexpr Outcome passed = Outcome::Passed;
constexpr Outcome failed = Outcome::Failed;

BOOST_AUTO_TEST_SUITE(judge_suite_test)

BOOST_AUTO_TEST_CASE(tests_that_draw_lots_notice_nothing) {
  const SuiteRuns runs = judged({met("one", Pool::Correct, {failed, passed}),
                                 met("two", Pool::Correct, {passed, passed}),
                                 met("lost", Pool::Shown, {failed, failed})});
  BOOST_TEST(!runs.tests[0].valid);
  BOOST_TEST(runs.lots == 0.5);
  BOOST_TEST(!runs.defects[0].noticed);  // one test is not more than twice as many
}

BOOST_AUTO_TEST_CASE(what_was_not_run_with_all_libraries_does_not_count) {
  const SuiteRuns runs = judged(
      {met("one", Pool::Correct, {Outcome::NotRun}), met("two", Pool::Correct, {passed})}, {"a"});
  BOOST_TEST(!runs.tests[0].valid);
  BOOST_TEST(runs.tests[0].reason == "it hung with several libraries until the watchdog ended it");
  BOOST_TEST(runs.lots == 0);
}

BOOST_AUTO_TEST_CASE(what_was_not_run_with_any_correct_library_does_not_count) {
  const SuiteRuns runs = judged({met("one", Pool::Correct, {Outcome::NotRun, passed})}, {"a"});
  BOOST_TEST_REQUIRE(runs.tests.size() == 2);
  BOOST_TEST(!runs.tests[0].valid);
  BOOST_TEST(runs.tests[0].reason == "it hung with several libraries until the watchdog ended it");
}

BOOST_AUTO_TEST_CASE(what_is_not_there_with_each_correct_library_does_not_count) {
  const SuiteRuns runs =
      judged({met("one", Pool::Correct, {passed, passed}), met("two", Pool::Correct, {passed}),
              met("lost", Pool::Shown, {failed, failed})});
  BOOST_TEST(runs.tests[0].valid);
  BOOST_TEST(!runs.tests[1].valid);
  BOOST_TEST(runs.tests[1].reason == "it is not there whenever a correct library is tested");
  BOOST_TEST(runs.defects[0].kills.size() == 1);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace watchlab::course
