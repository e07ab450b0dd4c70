#include "exercises/grader/grade.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "exercises/grader/exercise.hpp"
#include "scenarios/cli/console.hpp"
#include "scenarios/language/problem.hpp"

namespace watchlab::course {

double rounded(double points) { return std::round(points * 1e4) / 1e4; }

double Grade::points() const {
  double sum = 0;
  for (const GradeCase& entry : cases) {
    sum += entry.points;
  }
  return rounded(sum);
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
  if (path_.empty()) {
    return;
  }
  const std::string wrong = scenarios::write_file(path_.string(), format_.text(grade));
  if (!wrong.empty()) {
    throw std::runtime_error(wrong);
  }
}

}  // namespace watchlab::course
