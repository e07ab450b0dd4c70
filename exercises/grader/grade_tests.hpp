#pragma once

#include <chrono>
#include <cstdint>
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

/// The results of a suite of tests with the variants, from which the grade is computed.
struct SuiteRuns {
  /// Of one test.
  struct Test {
    std::string name;
    bool valid = false;
    bool fails = false;      ///< it is invalid, or fails at least once with a wrong library
    std::string variant{};   ///< the first correct one that it did not pass with
    std::uint64_t seed = 0;  ///< and the seed of that run
    std::string reason{};    ///< why it is invalid
    CaseRun run{};           ///< the run that says so
  };
  /// Of one defect.
  struct Defect {
    Variant variant;
    std::vector<CaseRun> kills{};  ///< the first runs of the valid tests that catch it, by name
    bool hung = false;             ///< whether the watchdog ended a test with it
    /// The numbers of the further rounds in which none of those tests catches the defect.
    std::vector<std::size_t> missed{};

    [[nodiscard]] bool caught() const { return !kills.empty(); }
  };

  std::vector<Test> tests;
  std::vector<Defect> defects;
  std::string trouble;  ///< why the program could not be run at all
  bool forged = false;
  std::string given_up;  ///< why not all libraries were run; "" when all were
  /// The time that each test took in all its runs, the slowest first.
  std::vector<std::pair<std::string, double>> seconds;
};

/// How tests are run.
struct SuiteOptions {
  /// Of an implementation: each case must pass under all of them.
  std::vector<std::uint64_t> seeds{1, 2, 3};
  /// Of a suite: the seeds of all runs are drawn from it.
  std::uint64_t seed = 1;
  /// Of a suite, for authors: with correct libraries all tests are run so many times as often, and
  /// with a wrong one those that have caught it, which must catch it each time.
  std::size_t rounds = 1;
  /// The processor time for everything that the student has written: a busy machine costs no
  /// points. A program that only waits is ended by the clock.
  std::chrono::milliseconds processor_max = std::chrono::hours(24);
  std::string schedule;            ///< the only one to play; "" for all
  std::vector<std::string> cases;  ///< the only tests to look at; empty for all
};

/// Throws `BadInput`, with the nearest name, unless the program has all of these tests.
void require_cases(const TestRun& run, const std::vector<std::string>& cases);

/// Runs the program of the stage with all variants: all tests in each run, each run with a seed of
/// its own, and the runs in an order that no test can know.
[[nodiscard]] SuiteRuns run_suite(const CommandContext& context, Stage& stage,
                                  const std::vector<Variant>& variants,
                                  const SuiteOptions& options);

/// How long a suite may take.
struct SuiteTime {
  std::chrono::seconds of_processor;
  std::chrono::seconds on_the_clock;
};
/// `at_home` is the limit for the libraries of a check. A grade has more libraries and more runs of
/// each, and its limit grows in proportion, so that a suite that passes at home does not run out of
/// time there.
[[nodiscard]] SuiteTime time_for(const std::vector<Variant>& variants,
                                 std::chrono::seconds at_home);

/// What a suite of tests is worth: 100 · thoroughness · validity.
struct SuiteScore {
  double validity = 0;      ///< the share of valid tests among those that fail with any library
  double thoroughness = 0;  ///< the weight of the defects that are caught, of all
};
[[nodiscard]] SuiteScore score_of(const SuiteRuns& runs);

/// The lines of the grade for a suite.
void put_suite(Grade& grade, const SuiteRuns& runs);
/// The grade of a suite that was stopped early: the reason, its slowest tests, and which tests are
/// known not to count.
void put_given_up(Grade& grade, const SuiteRuns& runs, const SuiteTime& time);

/// The result of the library in a stage with one test program.
struct ImplementationRuns {
  std::vector<CaseRun> cases;  ///< the worst run of each case, by name
  std::string trouble;         ///< why the program could not be run; "" when it could
  bool forged = false;
};

/// Copies the program into the stage and runs it against the stage's subject, with each seed; of
/// the options, these, the schedule and the cases are looked at. Throws `BadInput` for a case that
/// is not there.
[[nodiscard]] ImplementationRuns run_implementation(const CommandContext& context, Stage& stage,
                                                    const std::filesystem::path& program,
                                                    const SuiteOptions& options);

/// The lines of a grade for both programs: each case has the same points, whether visible or not.
void put_implementation(Grade& grade, const ImplementationRuns& visible,
                        const ImplementationRuns& hidden);

}  // namespace watchlab::course
