// What the runs of a suite come to: tests that know libraries by something else than what they do.
#include "exercises/grader/judge_suite.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace watchlab::course {

BOOST_AUTO_TEST_SUITE(judge_suite_test)

namespace {

using Outcome = CaseRun::Outcome;

/// A library that was met as often as `runs` has lists of ends, by tests named "a", "b", "c" that
/// came to these.
MetLibrary met_often(const std::string& id, Pool pool,
                     const std::vector<std::vector<Outcome>>& runs) {
  MetLibrary library{.variant = {.id = id, .pool = pool}, .runs = {}};
  for (const std::vector<Outcome>& ends : runs) {
    MetLibrary::Run& run = library.runs.emplace_back();
    for (std::size_t i = 0; i < ends.size(); ++i) {
      run.run.cases.push_back(
          {.name = std::string(1, static_cast<char>('a' + i)), .outcome = ends[i]});
    }
  }
  return library;
}

MetLibrary met(const std::string& id, Pool pool, const std::vector<Outcome>& ends) {
  return met_often(id, pool, {ends, ends, ends});
}

SuiteRuns judged(const std::vector<MetLibrary>& libraries,
                 const std::set<std::string>& left_out = {}) {
  SuiteRuns runs;
  judge_suite(runs, libraries, left_out);
  return runs;
}

constexpr Outcome kPassed = Outcome::Passed;
constexpr Outcome kFailed = Outcome::Failed;

/// How many tests notice a wrong library, of one that failed and passed so often.
std::size_t notices(std::size_t failures, std::size_t passes) {
  std::vector<std::vector<Outcome>> runs(failures, {kFailed});
  runs.insert(runs.end(), passes, {kPassed});
  return judged({met("one", Pool::Correct, {kPassed}), met_often("lost", Pool::Shown, runs)})
      .defects[0]
      .kills.size();
}

/// What a suite of one test comes to that meets two right libraries and two wrong ones as a grader
/// plans it. The test fails where `fails` says so, by the round and by whether the library is
/// right.
SuiteRuns judged_as_planned(const std::function<bool(std::size_t round, bool is_right)>& fails) {
  const std::vector<std::uint64_t> seeds{1, 2, 3};
  std::vector<MetLibrary> met;
  for (const char* const id : {"one", "one", "one", "two", "two", "two"}) {
    met.push_back(met_often(id, Pool::Correct, {}));
  }
  met.push_back(met_often("loses", Pool::Shown, {}));
  met.push_back(met_often("stays", Pool::Hidden, {}));
  std::vector<PlannedRun> planned = first_runs(met, seeds, {});
  for (std::size_t round = 0; !planned.empty(); ++round) {
    for (const PlannedRun& next : planned) {
      MetLibrary& library = met[next.library];
      BOOST_TEST(next.number == library.runs.size());
      const bool failed = fails(round, is_correct(library.variant)) &&
                          (round > 0 || next.number == 0);  // at first once with a library
      library.runs.push_back({.number = next.number, .seed = next.seed});
      library.runs.back().run.cases = {{.name = "a", .outcome = failed ? kFailed : kPassed}};
    }
    planned = further_runs(met, seeds);
  }
  return judged(met);
}

std::size_t count_noticed(const SuiteRuns& runs) {
  return static_cast<std::size_t>(std::ranges::count_if(runs.defects, &SuiteRuns::Defect::noticed));
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_fails_because_a_run_is_a_further_one_notices_nothing) {
  const SuiteRuns honest = judged_as_planned([](std::size_t, bool is_right) { return !is_right; });
  BOOST_TEST(honest.tests[0].valid);
  BOOST_TEST(count_noticed(honest) == 2);
  // With wrong libraries by chance in the first round, and with all of them in the next ones.
  const SuiteRuns knowing =
      judged_as_planned([](std::size_t round, bool is_right) { return round > 0 || !is_right; });
  BOOST_TEST(!knowing.tests[0].valid);
  BOOST_TEST(knowing.tests[0].variant == "one");
  BOOST_TEST(count_noticed(knowing) == 0);
}

BOOST_AUTO_TEST_CASE(tests_that_draw_lots_notice_nothing) {
  const SuiteRuns runs = judged({met("one", Pool::Correct, {kFailed, kPassed}),
                                 met("two", Pool::Correct, {kPassed, kPassed}),
                                 met("lost", Pool::Shown, {kFailed, kFailed})});
  BOOST_TEST(!runs.tests[0].valid);
  BOOST_TEST(runs.lots == 0.5);
  BOOST_TEST(!runs.defects[0].noticed);  // one test is not more than twice as many
}

BOOST_AUTO_TEST_CASE(a_defect_that_chance_explains_leads_to_the_test_to_repair_first) {
  Grade grade;
  put_suite(grade, judged({met("one", Pool::Correct, {kPassed, kFailed}),
                           met("two", Pool::Correct, {kPassed, kPassed}),
                           met("lost", Pool::Shown, {kFailed, kPassed})}));
  BOOST_TEST(grade.cases.back().message ==
             "tests that count notice it (1), but not more than chance explains: too many others "
             "fail with one correct library and pass with another. Repair first: b");
}

BOOST_AUTO_TEST_CASE(what_the_watchdog_ended_with_a_defect_is_known) {
  MetLibrary spins = met("spins", Pool::Shown, {Outcome::Hung});
  const MetLibrary right = met("one", Pool::Correct, {kPassed});
  BOOST_TEST(!judged({right, spins}).defects[0].hung);
  spins.runs[0].run.cases[0].by_watchdog = true;
  BOOST_TEST(judged({right, spins}).defects[0].hung);
}

BOOST_AUTO_TEST_CASE(a_library_is_noticed_by_what_fails_under_every_lot_or_under_most) {
  BOOST_TEST(notices(2, 0) == 0);
  BOOST_TEST(notices(3, 0) == 1);
  BOOST_TEST(notices(4, 1) == 0);
  BOOST_TEST(notices(5, 1) == 1);
  BOOST_TEST(notices(5, 4) == 1);
  BOOST_TEST(notices(1, 5) == 0);
}

BOOST_AUTO_TEST_CASE(what_the_grader_has_ended_notices_nothing) {
  MetLibrary slow = met("slow", Pool::Shown, {Outcome::Hung});
  const MetLibrary right = met("one", Pool::Correct, {kPassed});
  BOOST_TEST(judged({right, slow}).defects[0].noticed);  // a deadlock of the simulated world
  for (MetLibrary::Run& run : slow.runs) {
    run.run.cases[0].by_limit = true;
  }
  BOOST_TEST(!judged({right, slow}).defects[0].noticed);
  // With a right library it is a lot like any other.
  slow.variant.pool = Pool::Correct;
  BOOST_TEST(judged({right, slow}).lots == 0.5);
}

BOOST_AUTO_TEST_CASE(what_failed_is_run_again_until_it_is_known_whether_it_notices) {
  BOOST_TEST(!(Tally{.failed = 0, .passed = 3}.is_open()));
  BOOST_TEST(!(Tally{.failed = 3, .passed = 0}.is_open()));
  BOOST_TEST((Tally{.failed = 1, .passed = 2}.is_open()));
  BOOST_TEST((Tally{.failed = 4, .passed = 4}.is_open()));
  BOOST_TEST(!(Tally{.failed = 4, .passed = 5}.is_open()));
  BOOST_TEST(!(Tally{.failed = 5, .passed = 4}.is_open()));
}

BOOST_AUTO_TEST_CASE(what_was_not_run_with_all_libraries_does_not_count) {
  const SuiteRuns runs = judged(
      {met("one", Pool::Correct, {Outcome::NotRun}), met("two", Pool::Correct, {kPassed})}, {"a"});
  BOOST_TEST(!runs.tests[0].valid);
  BOOST_TEST(runs.tests[0].reason == "it hung with several libraries until the watchdog ended it");
  BOOST_TEST(runs.lots == 0);
}

BOOST_AUTO_TEST_CASE(what_was_not_run_with_any_correct_library_does_not_count) {
  const SuiteRuns runs = judged({met("one", Pool::Correct, {Outcome::NotRun, kPassed})}, {"a"});
  BOOST_TEST_REQUIRE(runs.tests.size() == 2);
  BOOST_TEST(!runs.tests[0].valid);
  BOOST_TEST(runs.tests[0].reason == "it hung with several libraries until the watchdog ended it");
}

BOOST_AUTO_TEST_CASE(what_is_not_there_with_each_correct_library_does_not_count) {
  const SuiteRuns runs =
      judged({met("one", Pool::Correct, {kPassed, kPassed}), met("two", Pool::Correct, {kPassed}),
              met("lost", Pool::Shown, {kFailed, kFailed})});
  BOOST_TEST(runs.tests[0].valid);
  BOOST_TEST(!runs.tests[1].valid);
  BOOST_TEST(runs.tests[1].reason == "it is not there whenever a correct library is tested");
  BOOST_TEST(runs.defects[0].kills.size() == 1);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::course
