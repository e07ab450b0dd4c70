#pragma once

#include <filesystem>
#include <vector>

#include "exercises/grader/grade.hpp"
#include "exercises/programs/exercise_set.hpp"

namespace watchlab::course {

/// One grade of several: each part's cases, called "E01t shown/1", with their share of the part's
/// points in the set. `grades` are those of the first parts, in the set's order; it is finished
/// when all are there and none still runs, and not gradable when no part is.
[[nodiscard]] Grade grade_of_set(const ExerciseSet& set, const std::vector<Grade>& grades);

/// Where the files of one part are in a submission to all of them: its own folder, called like the
/// exercise's, or the submission itself.
[[nodiscard]] std::filesystem::path part_of_submission(const std::filesystem::path& submission,
                                                       const Exercise& exercise);

}  // namespace watchlab::course
