#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "exercises/grader/grade.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;

/// What stands in the place of a part's cases when it has none that count: its points are not lost
/// from the sum.
GradeCase nothing_of(const ExerciseSet::Part& part, const std::string& why) {
  return {.id = part.id,
          .kind = "compile",
          .outcome = why.empty() ? "not_run" : "fail",
          .points_max = static_cast<double>(part.points),
          .message = why};
}

void add_part(Grade& whole, const ExerciseSet::Part& part, const Grade& grade) {
  const double scale =
      grade.points_max > 0 ? static_cast<double>(part.points) / grade.points_max : 0;
  double most = 0;
  for (const GradeCase& entry : grade.cases) {
    most += entry.points_max;
  }
  if (grade.status == Grade::Status::NotGradable || most <= 0) {
    whole.cases.push_back(nothing_of(part, grade.summary));
    return;
  }
  for (GradeCase entry : grade.cases) {
    entry.id = part.id + " " + entry.id;
    entry.points *= scale;
    entry.points_max *= scale;
    whole.cases.push_back(std::move(entry));
  }
}

}  // namespace

Grade grade_of_set(const ExerciseSet& set, const std::vector<Grade>& grades) {
  Grade whole{.exercise = set.id, .title = set.title, .points_max = set.points_max()};
  bool all_finished = grades.size() == set.parts.size();
  bool none_gradable = all_finished;
  for (std::size_t i = 0; i < set.parts.size(); ++i) {
    const ExerciseSet::Part& part = set.parts[i];
    if (i >= grades.size()) {
      whole.cases.push_back(nothing_of(part, ""));
      continue;
    }
    const Grade& grade = grades[i];
    const bool gradable = grade.status != Grade::Status::NotGradable;
    add_part(whole, part, grade);
    const double share = grade.points_max > 0 && gradable ? grade.points() / grade.points_max : 0;
    whole.summary +=
        fmt::format("{}{}: {:.2f} of {} points. {}", whole.summary.empty() ? "" : "\n", part.id,
                    share * static_cast<double>(part.points), part.points, grade.summary);
    whole.wall_ms += grade.wall_ms;
    whole.seed = grade.seed;
    whole.walls = grade.walls;
    all_finished = all_finished && grade.status != Grade::Status::Running;
    none_gradable = none_gradable && !gradable;
  }
  whole.status = none_gradable  ? Grade::Status::NotGradable
                 : all_finished ? Grade::Status::Finished
                                : Grade::Status::Running;
  return whole;
}

fs::path part_of_submission(const fs::path& submission, const Exercise& exercise) {
  const fs::path own = submission / exercise.slug();
  std::error_code closed;  // what cannot be entered has no folder of its own
  return fs::is_directory(fs::symlink_status(own, closed)) ? own : submission;
}

}  // namespace watchlab::course
