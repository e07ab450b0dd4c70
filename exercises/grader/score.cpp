#include "exercises/grader/score.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

namespace watchlab::course {

namespace {

/// Sums of thirds must not fall below the half or the whole that they stand for.
constexpr double dust = 1e-6;

long rounded_sum(const std::vector<double>& numbers) {
  double sum = 0;
  for (const double number : numbers) {
    sum += number;
  }
  return std::lround(sum + dust);
}

double fraction_of(double number) {
  return std::max(0.0, number + dust - std::floor(number + dust));
}

std::vector<long> floors_of(const std::vector<double>& numbers) {
  std::vector<long> floors;
  for (const double number : numbers) {
    floors.push_back(static_cast<long>(std::floor(number + dust)));
  }
  return floors;
}

/// Adds one here and there, those of large `claim` first, until the numbers add up to `sum` or all
/// have reached their limit.
void hand_out(std::vector<long>& numbers, long sum, const std::vector<double>& claim,
              const std::vector<long>& limits) {
  std::vector<std::size_t> order(numbers.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return claim[i]; });
  long left = sum - std::accumulate(numbers.begin(), numbers.end(), 0L);
  for (bool moved = true; left > 0 && moved;) {
    moved = false;
    for (const std::size_t i : order) {
      if (left > 0 && numbers[i] < limits[i]) {
        ++numbers[i];
        --left;
        moved = true;
      }
    }
  }
}

}  // namespace

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

WholePoints whole_points(const std::vector<double>& points, const std::vector<double>& most) {
  const long most_in_all = rounded_sum(most);
  WholePoints whole{.most = floors_of(most), .points = floors_of(points)};
  std::vector<double> earned;  // what was got comes first, and what was got nearly whole before
  for (std::size_t i = 0; i < most.size(); ++i) {
    earned.push_back(points[i] > 0 ? 1 + fraction_of(points[i]) : fraction_of(most[i]) / 2);
  }
  std::vector<long> limits(most.size(), std::numeric_limits<long>::max());
  hand_out(whole.most, most_in_all, earned, limits);
  for (std::size_t i = 0; i < most.size(); ++i) {
    limits[i] = points[i] > 0 ? whole.most[i] : 0;
  }
  hand_out(whole.points, rounded_sum(points), earned, limits);
  return whole;
}

}  // namespace watchlab::course
