#include "exercises/grader/score.hpp"

#include <algorithm>
#include <cmath>

namespace watchlab::course {

SuiteScore score_of(std::size_t valid, std::size_t tests,
                    const std::vector<WeightedKill>& defects) {
  SuiteScore score;
  if (valid == 0 || tests == 0) {
    return score;
  }
  score.validity = static_cast<double>(valid) / static_cast<double>(tests);
  double all = 0;
  double killed = 0;
  for (const WeightedKill& defect : defects) {
    all += defect.weight;
    killed += defect.killed ? defect.weight : 0;
  }
  score.thoroughness = all > 0 ? killed / all : 1;
  score.points = 100 * score.thoroughness * std::max(0.5, score.validity);
  return score;
}

std::vector<long> whole_shares(const std::vector<double>& shares) {
  std::vector<long> whole;
  double sum = 0;
  long given = 0;
  for (const double share : shares) {
    sum += share;
    // Sums of thirds must not fall below the half that they stand for.
    const long until_here = std::lround(sum + 1e-9);
    whole.push_back(until_here - given);
    given = until_here;
  }
  return whole;
}

}  // namespace watchlab::course
