#include "exercises/gradebook/lateness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "exercises/gradebook/csv.hpp"
#include "exercises/programs/exercise.hpp"
#include "exercises/programs/texts.hpp"
#include "scenarios/language/table.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;

/// Takes a number of exactly so many digits, and the character before it.
bool take(std::string_view& text, std::string_view before, std::size_t digits, int& number) {
  if (!text.starts_with(before) || text.size() < before.size() + digits) {
    return false;
  }
  const std::string_view part = text.substr(before.size(), digits);
  const auto read = std::from_chars(part.data(), part.data() + digits, number);
  text.remove_prefix(before.size() + digits);
  return read.ec == std::errc() && read.ptr == part.data() + digits && number >= 0;
}

constexpr std::string_view kExpectedTime = "2026-12-01T23:59:00Z or 2026-12-01T23:59:00+01:00";

Moment moment_or_throw(const std::string& text, const std::string& where) {
  const std::optional<Moment> moment = moment_from(text);
  if (!moment) {
    throw BadInput(
        fmt::format("{}'{}' is no time; expected one like {}", where, text, kExpectedTime));
  }
  return *moment;
}

scenarios::Codec<std::string> time_text() {
  return scenarios::checked<std::string>(
      scenarios::text("a time"),
      [](const std::string& text, scenarios::Place place, scenarios::ParseContext& context) {
        if (!moment_from(text)) {
          context.problems.add({place, fmt::format("'{}' is no time", text),
                                fmt::format("one like {}", kExpectedTime), ""});
        }
      });
}

}  // namespace

std::optional<Moment> moment_from(std::string_view text) {
  int year = 0;
  int month = 0;
  int day = 0;
  int hour = 0;
  int minute = 0;
  int second = 0;
  if (!take(text, "", 4, year) || !take(text, "-", 2, month) || !take(text, "-", 2, day) ||
      !take(text, text.starts_with(' ') ? " " : "T", 2, hour) || !take(text, ":", 2, minute)) {
    return std::nullopt;
  }
  if (text.starts_with(':') && !take(text, ":", 2, second)) {
    return std::nullopt;
  }
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  std::chrono::minutes offset{0};
  if (text.starts_with('+') || text.starts_with('-')) {
    const int sign = text.front() == '+' ? 1 : -1;
    int hours = 0;
    int minutes = 0;
    if (!take(text, sign > 0 ? "+" : "-", 2, hours) || !take(text, ":", 2, minutes)) {
      return std::nullopt;
    }
    offset = sign * (std::chrono::hours(hours) + std::chrono::minutes(minutes));
  } else if (text.starts_with('Z')) {
    text.remove_prefix(1);
  } else {
    return std::nullopt;  // of which zone, cannot be known
  }
  if (!text.empty() || !date.ok() || hour > 23 || minute > 59 || second > 60) {
    return std::nullopt;
  }
  return std::chrono::sys_days(date) + std::chrono::hours(hour) + std::chrono::minutes(minute) +
         std::chrono::seconds(second) - offset;
}

std::vector<Student> read_roster(const fs::path& file) {
  const CsvTable table(file);
  table.require({"id"});
  std::vector<Student> students;
  std::set<std::string> ids;
  for (const CsvTable::Row& row : table.rows()) {
    const auto cell = [&](const char* name) { return plain_line(table.cell(row, name)); };
    Student student{.id = cell("id"),
                    .name = cell("name"),
                    .email = cell("email"),
                    .canvas_id = cell("canvas_id"),
                    .sis_id = cell("sis_id"),
                    .login = cell("login"),
                    .section = cell("section")};
    if (student.id.empty() || student.id.front() == '.' ||
        student.id.find('/') != std::string::npos) {
      throw BadInput(fmt::format("{}'{}' is no id: it is to be the name of a folder", table.at(row),
                                 student.id));
    }
    if (!ids.insert(student.id).second) {
      throw BadInput(fmt::format("{}{} is there twice", table.at(row), student.id));
    }
    students.push_back(std::move(student));
  }
  return students;
}

SubmissionTimes read_submission_times(const fs::path& file) {
  const CsvTable table(file);
  table.require({"student", "exercise", "submitted"});
  SubmissionTimes times;
  for (const CsvTable::Row& row : table.rows()) {
    const Moment moment = moment_or_throw(table.cell(row, "submitted"), table.at(row));
    Moment& last =
        times.try_emplace({table.cell(row, "student"), table.cell(row, "exercise")}, moment)
            .first->second;
    last = std::max(last, moment);
  }
  return times;
}

Overrides read_overrides(const fs::path& file) {
  const CsvTable table(file);
  table.require({"student", "exercise", "points", "reason"});
  Overrides overrides;
  for (const CsvTable::Row& row : table.rows()) {
    const std::string text = table.cell(row, "points");
    Override own{.reason = plain_line(table.cell(row, "reason")), .where = table.at(row)};
    const auto read = std::from_chars(text.data(), text.data() + text.size(), own.points);
    constexpr double most = 1e6;
    if (read.ec != std::errc() || read.ptr != text.data() + text.size() ||
        !(own.points >= 0 && own.points <= most)) {
      throw BadInput(fmt::format("{}'{}' is no number of points", own.where, text));
    }
    if (own.reason.empty()) {
      throw BadInput(fmt::format("{}the reason is missing; the student reads it", own.where));
    }
    const std::string student = table.cell(row, "student");
    const std::string exercise = table.cell(row, "exercise");
    if (!overrides.try_emplace({student, exercise}, own).second) {
      throw BadInput(fmt::format("{}{} has two overrides for {}", own.where, student, exercise));
    }
  }
  return overrides;
}

CoursePolicy read_policy(const fs::path& file) {
  using scenarios::integer;
  using scenarios::text;
  constexpr std::int64_t many = 10'000;
  scenarios::Table<Assignment> assignment("an exercise", "What the course says of an exercise.");
  assignment.required("id", &Assignment::id, text("an id"), "E01t.")
      .key(
          {"due", "When it is due: 2026-12-01T23:59:00+01:00."}, time_text(),
          [](Assignment& one, const std::string& when) { one.due = moment_from(when); },
          [](const Assignment& /*one*/) { return std::optional<std::string>(); })
      .optional("column", &Assignment::column, text("a name"), "What a platform calls it.")
      .optional("points", &Assignment::points_max, integer("points", 1, many),
                "What it is worth there.");
  scenarios::Table<CoursePolicy> table("a policy", "The rules of a course.");
  table
      .optional("exercises", &CoursePolicy::exercises,
                list_of("a list of exercises", assignment.codec()), "In the order they are due.")
      .optional("late_percent", &CoursePolicy::late_percent,
                list_of("a list of percents", integer("percent", 0, 100)),
                "What stays of the points, one day late, two days late, and so on.");
  return read_by(table.codec(), file);
}

Lateness lateness_of(Moment submitted, Moment due, const CoursePolicy& policy) {
  const std::int64_t days = std::chrono::ceil<std::chrono::days>(submitted - due).count();
  if (days <= 0) {
    return {};
  }
  const auto& table = policy.late_percent;
  const auto row = static_cast<std::size_t>(days - 1);
  return {.days = days, .percent = table.empty() ? 100 : row < table.size() ? table[row] : 0};
}

}  // namespace watchlab::course
