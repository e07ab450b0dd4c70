#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace watchlab::course {

/// What a suite of tests is worth.
struct SuiteScore {
  double validity = 0;      ///< V: valid tests of all
  double thoroughness = 0;  ///< T: the weight of the defects that were noticed, of all
  double points = 0;        ///< 100·T·max(0.5, V); 0 without a valid test
};

/// A defect, as far as it counts.
struct WeightedKill {
  double weight = 1;
  bool killed = false;
};

[[nodiscard]] SuiteScore score_of(std::size_t valid, std::size_t tests,
                                  const std::vector<WeightedKill>& defects);

/// Whole numbers that add up to the rounded sum of `shares` and each differ from theirs by less
/// than one; for platforms that know no fractions.
[[nodiscard]] std::vector<long> whole_shares(const std::vector<double>& shares);

}  // namespace watchlab::course
