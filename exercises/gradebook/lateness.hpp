#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace watchlab::course {

/// A time of the calendar, to the second, in UTC.
using Moment = std::chrono::sys_seconds;

/// "2026-12-01T23:59:00Z", or with an offset: "2026-12-01T23:59:00+01:00". Empty for what is none.
[[nodiscard]] std::optional<Moment> moment_from(std::string_view text);

/// A student, as the roster says.
struct Student {
  std::string id;    ///< what submissions and results are called
  std::string name;  ///< "" where it is not given
  std::string email;
  std::string canvas_id;  ///< columns of the same names, which a gradebook of Canvas wants back
  std::string sis_id;
  std::string login;
  std::string section;
};

/// The students of a course, in the order of the file: a CSV file with a column `id`; the others
/// are optional. Throws `BadInput` with file and line.
[[nodiscard]] std::vector<Student> read_roster(const std::filesystem::path& file);

/// When what was handed in: a CSV file with the columns student, exercise, submitted. Of several
/// times the last one counts. Throws `BadInput` with file and line.
using SubmissionTimes = std::map<std::pair<std::string, std::string>, Moment>;
[[nodiscard]] SubmissionTimes read_submission_times(const std::filesystem::path& file);

/// What an instructor has decided for one student and exercise: after an appeal, for example.
struct Override {
  double points = 0;   ///< in place of what was earned, and whatever it is late
  std::string reason;  ///< for the student
  std::string where;   ///< "overrides.csv:3: "
};
/// A CSV file with the columns student, exercise, points, reason. Throws `BadInput` with file and
/// line.
using Overrides = std::map<std::pair<std::string, std::string>, Override>;
[[nodiscard]] Overrides read_overrides(const std::filesystem::path& file);

/// What a course says of an exercise.
struct Assignment {
  std::string id;               ///< E01t
  std::optional<Moment> due;    ///< never late without it
  std::string column;           ///< what a learning platform calls it; its id and title if left out
  std::int64_t points_max = 0;  ///< what it is worth there; its own points if 0
};

/// A course's rules, from a YAML file that docs/instructors.md describes.
struct CoursePolicy {
  std::vector<Assignment> exercises;
  /// What stays of the points earned, in percent: one day late, two days late, and so on; later
  /// than that gets nothing. Days are counted and cost nothing where the table is empty.
  std::vector<std::int64_t> late_percent;
};

/// Throws `BadInput` with file:line:column.
[[nodiscard]] CoursePolicy read_policy(const std::filesystem::path& file);

/// How late one submission is, and what that leaves of its points.
struct Lateness {
  std::int64_t days = 0;       ///< begun
  std::int64_t percent = 100;  ///< of the points earned, that stay
};

[[nodiscard]] Lateness lateness_of(Moment submitted, Moment due, const CoursePolicy& policy);

}  // namespace watchlab::course
