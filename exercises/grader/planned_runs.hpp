#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "exercises/grader/judge_suite.hpp"

namespace watchlab::course {

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

}  // namespace watchlab::course
