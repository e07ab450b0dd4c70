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

/// Points as a platform wants them that knows no fractions.
struct WholePoints {
  std::vector<long> most;    ///< adds up to the rounded sum of what there is to get
  std::vector<long> points;  ///< adds up to the rounded sum of what was got; none above its `most`
};

/// `points` are no more than `most`, one by one. Each whole number differs from its own by less
/// than one where the sums allow it. Where `most` has to be rounded one way or the other, what was
/// got counts more than what was not: else nobody could get all that he earned.
[[nodiscard]] WholePoints whole_points(const std::vector<double>& points,
                                       const std::vector<double>& most);

}  // namespace watchlab::course
