#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "exercises/grader/grade_tests.hpp"
#include "exercises/grader/test_run.hpp"
#include "exercises/programs/variant.hpp"

namespace watchlab::course {

/// What a suite did with one library.
struct MetLibrary {
  struct Run {
    std::uint64_t seed;
    TestRun run;
  };

  Variant variant;
  std::uint64_t lot = 0;           ///< what was drawn for it
  std::vector<Run> runs;           ///< in the order of the seeds; empty when it was not met yet
  std::set<std::string> unsteady;  ///< tests that came to different ends under one seed
};

/// Whether every valid test passes with it.
[[nodiscard]] bool is_correct(const Variant& variant);
/// Whether a run noticed something: it failed, hung or crashed.
[[nodiscard]] bool is_failure(const CaseRun& run);
/// The run of the test of that name; null when there is none.
[[nodiscard]] const CaseRun* find_case(const TestRun& run, const std::string& name);

/// Fills in what the runs come to: `tests`, `lots`, `defects`, `trouble` and `forged`. The tests in
/// `left_out` hung with so many libraries that they were not run with all.
void judge_suite(SuiteRuns& runs, const std::vector<MetLibrary>& met,
                 const std::set<std::string>& left_out);

}  // namespace watchlab::course
