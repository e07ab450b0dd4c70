#include "exercises/grader/grade.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>

#include "exercises/programs/exercise.hpp"
#include "exercises/programs/texts.hpp"
#include "scenarios/language/document.hpp"

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
  if (grade.status == Grade::Status::Running && !grade.summary.ends_with(kNotAtItsEnd)) {
    grade.summary += fmt::format("{}{}", grade.summary.empty() ? "" : "\n", kNotAtItsEnd);
  }
  grade.points_max = sane(grade.points_max);
  grade.points_open = sane(grade.points_open);
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
                                                {"exercism", "results.json", &to_exercism},
                                                {"coderunner", "results.json", &to_coderunner},
                                                {"autolab", "results.txt", &to_autolab}};
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

GradeFile::GradeFile(std::filesystem::path path, const GradeFormat& format)
    : path_(std::move(path)), format_(format) {
  const auto found = std::filesystem::symlink_status(path_);
  if (path_.empty() || !std::filesystem::exists(found)) {
    return;
  }
  // What is written through cannot be replaced by what is known later.
  only_at_end_ = !std::filesystem::is_regular_file(found);
  if (!only_at_end_) {
    std::ifstream file(path_, std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    only_at_end_ = !text.empty() && text.find(kNotAtItsEnd) == std::string::npos;
  }
}

void mark_as_ended(const std::filesystem::path& file) {
  const std::filesystem::file_status found = std::filesystem::symlink_status(file);
  const std::string text = std::filesystem::is_regular_file(found) ? read_whole(file) : "";
  const std::size_t at = text.find(kRunningInJson);
  if (text.starts_with(kBeginningOfJson) && at != std::string::npos) {
    write_output(file, text.substr(0, at) + std::string(kEndedInJson) +
                           text.substr(at + kRunningInJson.size()));
  }
}

void GradeFile::write(const Grade& grade) const {
  if (!path_.empty() && (!only_at_end_ || grade.status != Grade::Status::Running)) {
    write_output(path_, format_.text(grade));
  }
}

namespace {

/// Sums of thirds must not fall below the half or the whole that they stand for.
constexpr double kDust = 1e-6;

long rounded_sum(const std::vector<double>& numbers) {
  return std::lround(std::accumulate(numbers.begin(), numbers.end(), 0.0) + kDust);
}

double fraction_of(double number) {
  return std::max(0.0, number + kDust - std::floor(number + kDust));
}

std::vector<long> floors_of(const std::vector<double>& numbers) {
  std::vector<long> floors;
  for (const double number : numbers) {
    floors.push_back(static_cast<long>(std::floor(number + kDust)));
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
