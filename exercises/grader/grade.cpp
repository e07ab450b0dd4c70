#include "exercises/grader/grade.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "exercises/grader/exercise.hpp"
#include "exercises/grader/plain_text.hpp"
#include "exercises/grader/reading.hpp"
#include "scenarios/language/problem.hpp"

namespace watchlab::course {

namespace {

/// No points are negative, and whatever is no number is none.
double sane(double points) {
  constexpr double most = 1e9;
  return std::isfinite(points) ? std::clamp(points, 0.0, most) : 0;
}

}  // namespace

double rounded(double points) { return std::round(points * 1e4) / 1e4; }

double Grade::points() const {
  double sum = 0;
  for (const GradeCase& entry : cases) {
    sum += entry.points;
  }
  return rounded(sum);
}

Grade presentable(Grade grade) {
  for (std::string* const line : {&grade.exercise, &grade.title}) {
    *line = plain_line(*line);
  }
  grade.summary = plain_text(grade.summary);
  grade.points_max = sane(grade.points_max);
  grade.validity = std::min(sane(grade.validity), 1.0);
  grade.thoroughness = std::min(sane(grade.thoroughness), 1.0);
  for (GradeCase& entry : grade.cases) {
    for (std::string* const line : {&entry.id, &entry.kind, &entry.clause, &entry.variant,
                                    &entry.outcome, &entry.schedule, &entry.symptom, &entry.hint}) {
      *line = plain_line(*line);
    }
    entry.message = plain_text(entry.message);
    entry.narration = plain_text(entry.narration);
    entry.points_max = sane(entry.points_max);
    entry.points = std::min(sane(entry.points), entry.points_max);
  }
  return grade;
}

const std::vector<GradeFormat>& grade_formats() {
  static const std::vector<GradeFormat> formats{{"json", "grade.json", &to_json},
                                                {"gradescope", "results.json", &to_gradescope},
                                                {"classroom50", "result.json", &to_classroom50},
                                                {"prairielearn", "results.json", &to_prairielearn},
                                                {"junit", "junit.xml", &to_junit},
                                                {"exercism", "results.json", &to_exercism}};
  return formats;
}

const GradeFormat& find_format(std::string_view name) {
  std::vector<std::string> names;
  for (const GradeFormat& format : grade_formats()) {
    if (format.name == name) {
      return format;
    }
    names.emplace_back(format.name);
  }
  throw BadInput(
      fmt::format("there is no format '{}'; expected {}", name, scenarios::one_of(names)));
}

void GradeFile::write(const Grade& grade) const {
  const auto found = std::filesystem::symlink_status(path_);
  // What is written through cannot be replaced by what is known later.
  const bool is_replaced =
      !std::filesystem::exists(found) || std::filesystem::is_regular_file(found);
  if (!path_.empty() && (is_replaced || grade.status != Grade::Status::Running)) {
    write_output(path_, format_.text(grade));
  }
}

}  // namespace watchlab::course
