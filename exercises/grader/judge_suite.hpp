#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "exercises/grader/grade_tests.hpp"
#include "exercises/grader/test_run.hpp"
#include "exercises/programs/variant.hpp"

/// The rule by which suites of tests are graded. A test is *valid* if it passes in every run with
/// every correct library. A defect is *caught* if a valid test fails on it in every run.
namespace watchlab::course {

/// The end of the message for a test that fails with a correct library.
inline constexpr std::string_view kNotPromised = ": it asks for what is not promised";

/// How often all tests are run with a wrong library, each time with another seed.
inline constexpr std::size_t kRunsWithDefect = 3;
/// And with a correct one. Of 499 tests that fail by chance, some fail in all three runs with a
/// defect; with twice as many runs that they must pass, the suite earns 4 of 100 points at best.
inline constexpr std::size_t kRunsWithCorrect = 6;

/// What a suite did with one library.
struct TestedLibrary {
  struct Run {
    std::uint64_t seed = 0;
    TestRun run;
  };

  Variant variant;
  std::vector<Run> runs;
};

/// Whether every valid test passes with it.
[[nodiscard]] bool is_correct(const Variant& variant);
/// How often it is run.
[[nodiscard]] std::size_t runs_with(const Variant& variant);
/// Whether a test has failed, hung or crashed. A run that the grader has ended says nothing about
/// the library: otherwise a test could demand so much that only the fastest ones finish in time.
[[nodiscard]] bool is_failure(const CaseRun& run);
/// The run of the test of that name; null when there is none.
[[nodiscard]] const CaseRun* find_case(const TestRun& run, const std::string& name);
/// The tests of `names` that failed in all of these runs.
[[nodiscard]] std::vector<std::string> failed_in_all(const std::vector<TestRun>& runs,
                                                     std::vector<std::string> names);

/// Fills in the results of the runs: `tests`, `defects`, `trouble` and `forged`. The tests in
/// `left_out` hung with so many libraries that they were not run with all.
void judge_suite(SuiteRuns& runs, const std::vector<TestedLibrary>& tested,
                 const std::set<std::string>& left_out);

}  // namespace watchlab::course
