#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "exercises/grader/grade.hpp"
#include "exercises/grader/test_run.hpp"
#include "exercises/programs/stage.hpp"
#include "exercises/programs/variant.hpp"

namespace watchlab::course {

/// What a suite of tests did with the variants: the raw material of a grade.
struct SuiteRuns {
  /// Of one test.
  struct Test {
    std::string name;
    bool valid = false;
    std::string variant;     ///< the first correct one that it did not pass with
    std::uint64_t seed = 0;  ///< and under which seed
    std::uint64_t lot = 0;   ///< and what was drawn for it then
    std::string reason;      ///< why not
    CaseRun run;             ///< the run that says so
  };
  /// Of one defect.
  struct Defect {
    Variant variant;
    std::vector<CaseRun> kills;  ///< the runs of valid tests that noticed it, by name
    bool noticed = false;        ///< whether these are more than chance explains
    bool hung = false;           ///< whether the watchdog ended a test with it, which is no notice
    /// The first of each three further seeds under which none of those tests notices it.
    std::vector<std::uint64_t> unnoticed;
  };

  std::vector<Test> tests;
  std::vector<Defect> defects;
  double weight_of_rest = 0;  ///< of the defects that were not met yet
  /// How many tests fail in a run with a correct library, on average, of those that pass and fail
  /// with the same one, and fail in less than half of the runs. Tests that draw lots fail with
  /// right and wrong libraries alike, and each wrong one is noticed by some of them that have never
  /// failed with a right one. So a defect is noticed by more than twice as many, or not at all. A
  /// single test that does not count so takes nothing from the others.
  double lots = 0;
  std::vector<std::string> uneven;  ///< the names of those tests
  std::string trouble;              ///< why the program could not be run at all
  bool forged = false;
  std::string given_up;  ///< why not all libraries were met; "" when all were, or will be
  /// What each test has taken of the clock in all its runs, the slowest first.
  std::vector<std::pair<std::string, double>> seconds;
};

/// How suites are graded.
struct SuiteOptions {
  std::vector<std::uint64_t> seeds{1, 2, 3};
  /// Under these nothing may change: what counts must pass with correct variants, and what noticed
  /// a defect must notice it under one of each three.
  std::vector<std::uint64_t> further_seeds;
  std::uint64_t lot = 1;  ///< decides what is drawn for each library
  /// How often each right library is met. Something else is drawn each time that a library is met,
  /// by which a test that says nothing of libraries could pass with all right ones, once, and fail
  /// with wrong ones.
  std::uint64_t meetings_of_correct = 3;
  bool narrates = true;  ///< whether invalid tests are told step by step
  /// Of the processor, for all that the student has written: a machine that has much to do costs no
  /// points. What only waits is ended by the clock.
  std::chrono::milliseconds processor_max = std::chrono::hours(24);
  std::string schedule;            ///< the only one to play; "" for all
  std::vector<std::string> cases;  ///< the only tests to look at; empty for all
  /// Called before each variant, with what is known by then.
  std::function<void(const SuiteRuns&)> progress = [](const SuiteRuns&) {};
};

/// Throws `BadInput`, with the nearest name, unless the program has all of these tests.
void require_cases(const TestRun& run, const std::vector<std::string>& cases);

/// Runs the program of the stage with all variants, right and wrong ones alike: all tests under
/// each seed, in an order of its own. The result does not depend on that order.
[[nodiscard]] SuiteRuns run_suite(const CommandContext& place, Stage& stage,
                                  const std::vector<Variant>& variants,
                                  const SuiteOptions& options);

/// How long a suite may take.
struct SuiteTime {
  std::chrono::seconds of_processor;
  std::chrono::seconds on_the_clock;
};
/// `at_home` is for the libraries that a check meets. A grade meets more of them, and each more
/// often: it has as many times as much, so that what passes at home does not fail there for time.
[[nodiscard]] SuiteTime time_for(const std::vector<Variant>& variants, const SuiteOptions& options,
                                 std::chrono::seconds at_home);

/// The lines of a grade that a suite comes to.
void put_suite(Grade& grade, const SuiteRuns& runs);
/// The grade of a suite that was given up: why, its slowest tests, and what is known by then of
/// those that do not count.
void put_given_up(Grade& grade, const SuiteRuns& runs, const SuiteTime& time);

/// How the library in a stage got on with one test program.
struct ImplementationRuns {
  std::vector<CaseRun> cases;  ///< the worst run of each case, by name
  std::string trouble;         ///< why the program could not be run; "" when it could
  bool forged = false;
};

/// Copies the program into the stage and runs it against the stage's subject, with each seed; of
/// the options, these, the schedule and the cases are looked at. Throws `BadInput` for a case that
/// is not there.
[[nodiscard]] ImplementationRuns run_implementation(const CommandContext& place, Stage& stage,
                                                    const std::filesystem::path& program,
                                                    const SuiteOptions& options);

/// The lines of a grade for both programs: each case has the same points, whether visible or not.
void put_implementation(Grade& grade, const ImplementationRuns& visible,
                        const ImplementationRuns& hidden);

}  // namespace watchlab::course
