#pragma once

#include <string>

#include "exercises/grader/exercise.hpp"
#include "exercises/grader/grade.hpp"
#include "exercises/grader/homework.hpp"
#include "scenarios/cli/console.hpp"

namespace watchlab::course {

/// Tells a grade to the student at the terminal: what counts, what does not and why, step by step,
/// and what survives. A defect's symptom is told after it has survived two attempts.
void tell_verdict(scenarios::Console& console, const Exercise& exercise, const Grade& grade,
                  const Progress& progress);

/// Whether that is as good as it gets: all points.
[[nodiscard]] bool is_complete(const Grade& grade);

}  // namespace watchlab::course
