#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "exercises/grader/grade_tests.hpp"
#include "exercises/grader/test_run.hpp"
#include "exercises/programs/variant.hpp"

namespace watchlab::course {

/// How the reason against a test ends that fails with a right library.
inline constexpr std::string_view kNotPromised = ": it asks for what is not promised";

/// What a suite did with one library.
struct MetLibrary {
  /// What is drawn for a run, the schedules and all that tests draw themselves, follows from `lot`.
  struct Run {
    std::size_t number = 0;  ///< of those with this library
    std::uint64_t seed = 0;
    std::uint64_t lot = 0;
    TestRun run;
  };

  Variant variant;
  std::uint64_t lot = 0;  ///< the lots of its runs are drawn from this one
  std::vector<Run> runs;  ///< by number; empty when it was not met yet
};

/// How often one test failed and passed with one library, each time under another lot.
struct Tally {
  std::size_t failed = 0;
  std::size_t passed = 0;

  /// A library is noticed by what fails under every lot, or under five of at most nine. With two
  /// right libraries, of which it must pass each run, a test that fails by chance comes to that
  /// with one of fourteen wrong ones in one grade of 670, if it fails in one run of nine. By any
  /// other share a defect is rarer, and more such tests have fewer points.
  [[nodiscard]] bool is_notice() const {
    return passed == 0 ? failed >= kSteadyFailures : failed >= kFailuresOfNine;
  }
  /// Whether more runs could make a difference.
  [[nodiscard]] bool is_open() const {
    return failed > 0 && passed < kFailuresOfNine && !is_notice();
  }

  static constexpr std::size_t kSteadyFailures = 3;
  static constexpr std::size_t kFailuresOfNine = 5;
  static constexpr std::size_t kRunsMax = 2 * kFailuresOfNine - 1;
};

/// By the names of the tests that failed at least once with it.
[[nodiscard]] std::map<std::string, Tally> tallies_of(const MetLibrary& library);

/// Whether every valid test passes with it.
[[nodiscard]] bool is_correct(const Variant& variant);
/// Whether a run noticed something: it failed, hung or crashed. What the grader has ended noticed
/// nothing: a test could ask for so much that only the fastest libraries, or those that need least,
/// are done in time.
[[nodiscard]] bool is_failure(const CaseRun& run);
/// The run of the test of that name; null when there is none.
[[nodiscard]] const CaseRun* find_case(const TestRun& run, const std::string& name);

/// A run of a suite that is to come, with one of the libraries that it meets.
struct PlannedRun {
  std::size_t library = 0;
  std::size_t number = 0;  ///< of those with this library
  std::uint64_t seed = 0;
};

/// Every library of `met` under each seed, and each right one under `further_seeds` as well, once.
/// All meetings of a library follow each other in `met`.
[[nodiscard]] std::vector<PlannedRun> first_runs(const std::vector<MetLibrary>& met,
                                                 const std::vector<std::uint64_t>& seeds,
                                                 const std::vector<std::uint64_t>& further_seeds);

/// One more run with each library of which it is not known yet whether a test notices it; none when
/// there is no such library. Each right one is met beside them: what a test does otherwise in these
/// runs, it does with right libraries, too, and does not count.
[[nodiscard]] std::vector<PlannedRun> further_runs(const std::vector<MetLibrary>& met,
                                                   const std::vector<std::uint64_t>& seeds);

/// Fills in what the runs come to: `tests`, `lots`, `defects`, `trouble` and `forged`. The tests in
/// `left_out` hung with so many libraries that they were not run with all.
void judge_suite(SuiteRuns& runs, const std::vector<MetLibrary>& met,
                 const std::set<std::string>& left_out);

}  // namespace watchlab::course
