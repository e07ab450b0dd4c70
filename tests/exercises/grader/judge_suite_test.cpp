// What the runs of a suite come to.
#include "exercises/grader/judge_suite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <random>
#include <string>
#include <vector>

namespace watchlab::course {

BOOST_AUTO_TEST_SUITE(judge_suite_test)

namespace {

using Outcome = CaseRun::Outcome;

/// A library that was tested as often as `runs` has lists of ends, by tests named "a", "b", "c"
/// that came to these.
TestedLibrary met_often(const std::string& id, Pool pool,
                        const std::vector<std::vector<Outcome>>& runs) {
  TestedLibrary library{.variant = {.id = id, .pool = pool}, .runs = {}};
  for (const std::vector<Outcome>& ends : runs) {
    TestedLibrary::Run& run = library.runs.emplace_back();
    for (std::size_t i = 0; i < ends.size(); ++i) {
      run.run.cases.push_back(
          {.name = std::string(1, static_cast<char>('a' + i)), .outcome = ends[i]});
    }
  }
  return library;
}

TestedLibrary tested(const std::string& id, Pool pool, const std::vector<Outcome>& ends) {
  return met_often(id, pool, {ends, ends, ends});
}

SuiteRuns judged(const std::vector<TestedLibrary>& libraries,
                 const std::set<std::string>& left_out = {}) {
  SuiteRuns runs;
  judge_suite(runs, libraries, left_out);
  return runs;
}

double points_of(const SuiteRuns& runs) {
  Grade grade;
  put_suite(grade, runs);
  return grade.points();
}

constexpr Outcome kPassed = Outcome::Passed;
constexpr Outcome kFailed = Outcome::Failed;

/// Runs of tests that fail by chance, and of others that always pass.
std::vector<TestedLibrary> met_by_chance(double chance, std::size_t always, std::mt19937& numbers) {
  constexpr std::size_t by_chance = 499;
  std::bernoulli_distribution fails(chance);
  std::vector<TestedLibrary> tested;
  for (std::size_t i = 0; i < 16; ++i) {
    TestedLibrary& library = tested.emplace_back();
    library.variant = {.id = std::to_string(i), .pool = i < 2 ? Pool::Correct : Pool::Hidden};
    for (std::size_t run = 0; run < runs_with(library.variant); ++run) {
      std::vector<CaseRun>& cases = library.runs.emplace_back().run.cases;
      for (std::size_t test = 0; test < by_chance + always; ++test) {
        const bool failed = test < by_chance && fails(numbers);
        cases.push_back(
            {.name = fmt::format("{:05}", test), .outcome = failed ? kFailed : kPassed});
      }
    }
  }
  return tested;
}

}  // namespace

BOOST_AUTO_TEST_CASE(points_are_the_weight_that_is_caught_times_the_share_of_valid_tests) {
  // Two valid tests, of which one fails; one that fails with a correct library.
  TestedLibrary heavy = tested("heavy", Pool::Shown, {kFailed, kPassed, kPassed});
  heavy.variant.weight = 3;
  const SuiteRuns runs = judged({tested("one", Pool::Correct, {kPassed, kPassed, kFailed}), heavy,
                                 tested("light", Pool::Hidden, {kPassed, kPassed, kPassed})});
  BOOST_TEST(score_of(runs).validity == 0.5);
  BOOST_TEST(score_of(runs).thoroughness == 0.75);
  BOOST_TEST(points_of(runs) == 37.5);
}

BOOST_AUTO_TEST_CASE(a_student_can_work_out_the_share_that_counts) {
  const SuiteRuns runs =
      judged({tested("one", Pool::Correct, {kPassed, kPassed, kPassed, kFailed}),
              tested("lost", Pool::Shown, {kFailed, kFailed, kPassed, kPassed})});
  Grade grade;
  put_suite(grade, runs);
  BOOST_TEST(grade.summary ==
             "1 of 1 defects caught.\n3 of your 4 tests fail with some library; 2 of these are "
             "valid: 66.7 % of the points count.");
}

BOOST_AUTO_TEST_CASE(tests_that_never_fail_neither_help_nor_harm) {
  const SuiteRuns runs = judged({tested("one", Pool::Correct, {kPassed, kPassed, kPassed}),
                                 tested("lost", Pool::Shown, {kFailed, kPassed, kPassed})});
  BOOST_TEST(points_of(runs) == 100);
  BOOST_TEST(points_of(judged({tested("one", Pool::Correct, {kPassed}),
                               tested("lost", Pool::Shown, {kPassed})})) == 0);
}

BOOST_AUTO_TEST_CASE(without_a_valid_test_there_are_no_points) {
  BOOST_TEST(points_of(judged({tested("one", Pool::Correct, {kFailed}),
                               tested("lost", Pool::Shown, {kFailed})})) == 0);
  BOOST_TEST(points_of(judged({})) == 0);
}

BOOST_AUTO_TEST_CASE(a_defect_is_caught_by_a_valid_test_that_fails_in_every_run) {
  const auto caught = [](const std::vector<std::vector<Outcome>>& runs) {
    const TestedLibrary right = tested("one", Pool::Correct, {kPassed, kPassed});
    return judged({right, met_often("lost", Pool::Shown, runs)}).defects[0].caught();
  };
  BOOST_TEST(caught({{kFailed}, {kFailed}, {kFailed}}));
  BOOST_TEST(!caught({{kFailed}, {kPassed}, {kFailed}}));
  BOOST_TEST(!caught({{kFailed, kPassed}, {kPassed, kFailed}, {kFailed, kFailed}}));
  BOOST_TEST(!caught({{kFailed}, {Outcome::NotRun}, {kFailed}}));
}

BOOST_AUTO_TEST_CASE(a_test_that_fails_in_one_run_with_a_correct_library_is_invalid) {
  const SuiteRuns runs = judged({tested("one", Pool::Correct, {kPassed}),
                                 met_often("two", Pool::Correct, {{kPassed}, {kFailed}}),
                                 tested("lost", Pool::Shown, {kFailed})});
  BOOST_TEST(!runs.tests[0].valid);
  BOOST_TEST(runs.tests[0].variant == "two");
  BOOST_TEST(runs.tests[0].reason ==
             "it passes and fails with the same correct library, in other orders and schedules");
  BOOST_TEST(!runs.defects[0].caught());
}

/// The rule has no other defence against chance than how often each library is run.
BOOST_AUTO_TEST_CASE(a_suite_that_fails_by_chance_earns_under_five_points) {
  std::mt19937 numbers(51);  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same each time
  constexpr int grades = 12;
  for (const double chance : {0.04, 0.08, 0.11, 0.16, 0.25}) {
    double points = 0;
    for (int i = 0; i < grades; ++i) {
      points += points_of(judged(met_by_chance(chance, 0, numbers))) / grades;
    }
    BOOST_TEST_MESSAGE("499 tests that fail in one run of " << 1 / chance << " earn " << points);
    BOOST_TEST(points < 5, chance);
  }
  // Tests that always pass draw nothing, and change nothing.
  std::mt19937 alone(7);   // NOLINT(cert-msc32-c,cert-msc51-cpp)
  std::mt19937 beside(7);  // NOLINT(cert-msc32-c,cert-msc51-cpp)
  BOOST_TEST(points_of(judged(met_by_chance(0.11, 0, alone))) ==
             points_of(judged(met_by_chance(0.11, 3000, beside))));
}

BOOST_AUTO_TEST_CASE(what_the_watchdog_ended_with_a_defect_is_known) {
  TestedLibrary spins = tested("spins", Pool::Shown, {Outcome::Hung});
  const TestedLibrary right = tested("one", Pool::Correct, {kPassed});
  BOOST_TEST(!judged({right, spins}).defects[0].hung);
  spins.runs[0].run.cases[0].by_watchdog = true;
  BOOST_TEST(judged({right, spins}).defects[0].hung);
}

BOOST_AUTO_TEST_CASE(what_the_grader_has_ended_catches_nothing) {
  TestedLibrary slow = tested("slow", Pool::Shown, {Outcome::Hung});
  const TestedLibrary right = tested("one", Pool::Correct, {kPassed});
  BOOST_TEST(judged({right, slow}).defects[0].caught());  // a deadlock of the simulated world
  for (TestedLibrary::Run& run : slow.runs) {
    run.run.cases[0].by_limit = true;
  }
  BOOST_TEST(!judged({right, slow}).defects[0].caught());
  // With a right library it is invalid.
  slow.variant.pool = Pool::Correct;
  slow.runs[0].run.cases[0] = {.name = "a", .outcome = kPassed};
  BOOST_TEST(!judged({right, slow}).tests[0].valid);
}

BOOST_AUTO_TEST_CASE(what_was_not_run_with_all_libraries_does_not_count) {
  const SuiteRuns runs = judged(
      {tested("one", Pool::Correct, {Outcome::NotRun}), tested("two", Pool::Correct, {kPassed})},
      {"a"});
  BOOST_TEST(!runs.tests[0].valid);
  BOOST_TEST(runs.tests[0].reason == "it hung with several libraries until the watchdog ended it");
}

BOOST_AUTO_TEST_CASE(what_was_not_run_with_any_correct_library_does_not_count) {
  const SuiteRuns runs = judged({tested("one", Pool::Correct, {Outcome::NotRun, kPassed})}, {"a"});
  BOOST_TEST_REQUIRE(runs.tests.size() == 2);
  BOOST_TEST(!runs.tests[0].valid);
  BOOST_TEST(runs.tests[0].reason == "it hung with several libraries until the watchdog ended it");
}

BOOST_AUTO_TEST_CASE(what_is_not_there_with_each_correct_library_does_not_count) {
  const SuiteRuns runs = judged({tested("one", Pool::Correct, {kPassed, kPassed}),
                                 tested("two", Pool::Correct, {kPassed}),
                                 tested("lost", Pool::Shown, {kFailed, kFailed})});
  BOOST_TEST(runs.tests[0].valid);
  BOOST_TEST(!runs.tests[1].valid);
  BOOST_TEST(runs.tests[1].reason == "it is not there whenever a correct library is tested");
  BOOST_TEST(runs.defects[0].kills.size() == 1);
}

BOOST_AUTO_TEST_CASE(a_grade_has_as_much_time_for_each_library_as_a_check) {
  std::vector<Variant> variants(2, {.pool = Pool::Correct});
  variants.resize(8, {.pool = Pool::Shown});
  const SuiteTime at_home = time_for(variants, std::chrono::seconds(300));
  BOOST_TEST(at_home.of_processor.count() == 300);
  BOOST_TEST(at_home.on_the_clock.count() == 900);
  variants.resize(17, {.pool = Pool::Hidden});  // 57 runs in place of 30
  BOOST_TEST(time_for(variants, std::chrono::seconds(300)).of_processor.count() == 600);
}

BOOST_AUTO_TEST_CASE(a_suite_that_is_given_up_says_what_is_slow_and_what_it_knows) {
  SuiteRuns runs = judged({tested("one", Pool::Correct, {kPassed, kFailed})});
  runs.given_up = "it takes too long, and not all libraries were run";
  runs.seconds = {{"b", 20.04}, {"a", 0.01}};
  Grade grade;
  put_given_up(grade, runs, {std::chrono::seconds(300), std::chrono::seconds(900)});
  BOOST_TEST((grade.status == Grade::Status::NotGradable));
  BOOST_TEST(grade.summary ==
             "It was not run to the end: it takes too long, and not all libraries were run. 300 "
             "s of the processor are allowed, and 900 s on the clock.\n"
             "Its slowest tests, all runs together: b (20.0 s)\n"
             "Each call of the library costs time in every schedule: wait once for long, not "
             "many times briefly.");
  BOOST_TEST_REQUIRE(grade.cases.size() == 2U);
  BOOST_TEST(grade.cases[1].id == "b");
  BOOST_TEST(grade.cases[1].outcome == "invalid");
  BOOST_TEST(grade.points() == 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::course
