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

namespace {

/// Two tests that fail in one of three runs with a right library, and one that always passes.
MetLibrary right_with_lots(const std::string& id) {
  return met_often(
      id, Pool::Correct,
      {{kFailed, kPassed, kPassed}, {kPassed, kFailed, kPassed}, {kPassed, kPassed, kPassed}});
}

}  // namespace

BOOST_AUTO_TEST_CASE(tests_that_draw_lots_notice_nothing) {
  const SuiteRuns runs = judged({right_with_lots("one"), right_with_lots("two"),
                                 met("lost", Pool::Shown, {kPassed, kPassed, kFailed})});
  BOOST_TEST(!runs.tests[0].valid);
  BOOST_TEST(runs.tests[2].valid);
  BOOST_TEST(runs.lots == 2.0 / 3);
  BOOST_TEST(!runs.defects[0].noticed);  // one test is not more than twice as many
}

BOOST_AUTO_TEST_CASE(a_defect_that_chance_explains_leads_to_the_test_to_repair_first) {
  Grade grade;
  put_suite(grade, judged({right_with_lots("one"), right_with_lots("two"),
                           met("lost", Pool::Shown, {kPassed, kPassed, kFailed})}));
  BOOST_TEST(grade.cases.back().message ==
             "tests that count notice it (1), but not more than chance explains: too many others "
             "pass and fail with the same correct library. Repair first: a, b");
}

BOOST_AUTO_TEST_CASE(what_does_not_count_takes_nothing_from_the_others) {
  // Whatever ends it with a right library: each time it meets that one, and never with another.
  for (const Outcome end : {Outcome::Failed, Outcome::Hung, Outcome::Crashed}) {
    const SuiteRuns runs = judged(
        {met("one", Pool::Correct, {end, kPassed}), met("two", Pool::Correct, {kPassed, kPassed}),
         met("three", Pool::Correct, {end, kPassed}), met("lost", Pool::Shown, {end, kFailed}),
         met("kept", Pool::Hidden, {end, kPassed})});
    BOOST_TEST(!runs.tests[0].valid);
    BOOST_TEST(runs.lots == 0);
    BOOST_TEST(runs.defects[0].noticed);
    BOOST_TEST(!runs.defects[1].noticed);
  }
  // Nor does a single one that passes and fails with the same library, however often it does.
  for (std::size_t failures = 1; failures < 6; ++failures) {
    std::vector<std::vector<Outcome>> ends(failures, {kFailed, kPassed});
    ends.resize(6, {kPassed, kPassed});
    BOOST_TEST(count_noticed(judged({met_often("one", Pool::Correct, ends),
                                     met("lost", Pool::Shown, {kPassed, kFailed})})) == 1U,
               failures << " of 6");
  }
}

BOOST_AUTO_TEST_CASE(what_others_kept_from_being_run_counts_by_its_other_runs) {
  const auto ended_early = [](MetLibrary library) {
    library.runs[0].run.trouble = "the program hung 2 times";
    library.runs[0].run.cases[0].outcome = Outcome::NotRun;
    return library;
  };
  const MetLibrary right = ended_early(met("one", Pool::Correct, {kPassed}));
  const std::vector<Outcome> fails{kFailed};
  BOOST_TEST(count_noticed(judged({right, met("lost", Pool::Shown, fails)})) == 1U);
  // With a wrong one it is as if it had passed there: a suite chooses which of its tests come.
  const MetLibrary lost = ended_early(met_often("lost", Pool::Shown, {4, fails}));
  BOOST_TEST(count_noticed(judged({right, lost})) == 0U);
  BOOST_TEST(tallies_of(lost).at("a").is_open());
  BOOST_TEST(count_noticed(
                 judged({right, ended_early(met_often("lost", Pool::Shown, {6, fails}))})) == 1U);
  MetLibrary seldom = ended_early(met("one", Pool::Correct, {kPassed}));
  seldom.runs[1] = seldom.runs[0];
  BOOST_TEST(judged({seldom}).tests[0].reason ==
             "it is seldom run: others hang or end the program before");
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
  // With a right library it does not count, and says nothing of the others.
  slow.variant.pool = Pool::Correct;
  slow.runs[0].run.cases[0] = {.name = "a", .outcome = kPassed};
  BOOST_TEST(!judged({right, slow}).tests[0].valid);
  BOOST_TEST(judged({right, slow}).lots == 0);
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

BOOST_AUTO_TEST_CASE(a_grade_has_as_much_time_for_each_library_as_a_check) {
  std::vector<Variant> variants(2, {.pool = Pool::Correct});
  variants.resize(8, {.pool = Pool::Shown});
  SuiteOptions options{.meetings_of_correct = 1};
  const SuiteTime at_home = time_for(variants, options, std::chrono::seconds(300));
  BOOST_TEST(at_home.of_processor.count() == 300);
  BOOST_TEST(at_home.on_the_clock.count() == 900);
  variants.resize(17, {.pool = Pool::Hidden});
  options.meetings_of_correct = 3;  // 21 meetings in place of 8
  BOOST_TEST(time_for(variants, options, std::chrono::seconds(300)).of_processor.count() == 900);
}

BOOST_AUTO_TEST_CASE(a_suite_that_is_given_up_says_what_is_slow_and_what_it_knows) {
  SuiteRuns runs = judged({met("one", Pool::Correct, {kPassed, kFailed})});
  runs.given_up = "it takes too long, and not all libraries were met";
  runs.seconds = {{"b", 20.04}, {"a", 0.01}};
  Grade grade;
  put_given_up(grade, runs, {std::chrono::seconds(300), std::chrono::seconds(900)});
  BOOST_TEST((grade.status == Grade::Status::NotGradable));
  BOOST_TEST(grade.summary ==
             "It was not run to the end: it takes too long, and not all libraries were met. 300 s "
             "of the processor are allowed, and 900 s on the clock.\n"
             "Its slowest tests, all runs together: b (20.0 s)\n"
             "Each call of the library costs time, in each schedule: wait in one large piece, not "
             "in many small ones.");
  BOOST_TEST_REQUIRE(grade.cases.size() == 2U);
  BOOST_TEST(grade.cases[1].id == "b");
  BOOST_TEST(grade.cases[1].outcome == "invalid");
  BOOST_TEST(grade.points() == 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::course
