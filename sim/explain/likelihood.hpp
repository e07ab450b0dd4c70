#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "core/runtime/runtime.hpp"
#include "sim/explain/witness.hpp"

namespace watchlab::sim {

/// How likely the same failure still is after the first decisions of a failing run.
struct LikelihoodPoint {
  std::size_t decisions = 0;  ///< taken from the failing run; the rest is random
  std::size_t steps = 0;      ///< steps that are therefore the same
  double chance = 0;          ///< of the same failure, between 0 and 1
};

struct LikelihoodOptions {
  std::size_t endings = 100;    ///< random endings at each point
  std::size_t points_max = 40;  ///< more where the chance changes
  /// Called before each run. Return false to end with the points so far; may be empty.
  std::function<bool()> keep_going{};
};

/// The chance at the start, at the end, and at places in between, in order.
[[nodiscard]] std::vector<LikelihoodPoint> likelihood_curve(
    const Witness& failing, const std::function<void(runtime::Runtime&)>& body,
    const LikelihoodOptions& options);

/// The curve in words: one line, with a bar, for the start and for each step that changes the
/// chance by a fifth or more.
[[nodiscard]] std::string likelihood_text(const Witness& failing,
                                          const std::vector<LikelihoodPoint>& curve);

}  // namespace watchlab::sim
