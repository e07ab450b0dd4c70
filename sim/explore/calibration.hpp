#pragma once

#include <cstddef>

namespace watchlab::sim {

/// Sampling strategies learn about the program (how many decisions, how much each task does, which
/// objects are shared) from their first runs only. From then on a run depends on the seed and its
/// number alone, so that it is the same whoever plays it: another job, another machine, or a
/// campaign that goes on later. Whoever begins further on plays the first runs too, and does not
/// count them.
inline constexpr std::size_t kCalibrationRuns = 4;

}  // namespace watchlab::sim
