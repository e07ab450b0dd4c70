#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <string>

#include "exercises/gradebook/gradebook.hpp"
#include "exercises/programs/language.hpp"
#include "exercises/programs/texts.hpp"

namespace watchlab::course {
namespace {

namespace json = boost::json;

constexpr std::string_view kStyle =
    "body{font:16px/1.4 sans-serif;margin:2em auto;max-width:60em;padding:0 1em;color:#1a1a1a;"
    "background:#fff}table{border-collapse:collapse}td,th{padding:.2em 1em;text-align:left;"
    "border-bottom:1px solid #ccc;vertical-align:top}pre{background:#f4f4f4;padding:.6em;"
    "overflow-x:auto;white-space:pre-wrap}";

/// What a shortfall means for the student who reads it.
std::string_view advice_for(Shortfall shortfall) {
  switch (shortfall) {
    case Shortfall::DoesNotCompile:
      return "Your files do not compile, so nothing could be run. The compiler's messages are "
             "below.";
    case Shortfall::FileMissing:
      return "A file is missing or cannot be read, so nothing could be run.";
    case Shortfall::NotRun:
      return "Your files could not be graded; see the reason below.";
    case Shortfall::Unfinished:
      return "Grading did not finish; it will be repeated.";
    case Shortfall::TooLate:
      return "This was submitted after the last day on which late work is accepted.";
    case Shortfall::Missing:
      return "There is no result yet.";
    case Shortfall::NotDue:
      return "Nothing is graded yet.";
    case Shortfall::Zero:
      return "Your files ran, but earned no points.";
    default:
      return "";
  }
}

std::string words_at(const json::object& entry, std::string_view key) {
  const json::value* const value = entry.if_contains(key);
  return value != nullptr && value->is_string() ? plain_text(std::string(value->as_string())) : "";
}

double number_at(const json::object& entry, std::string_view key) {
  const json::value* const value = entry.if_contains(key);
  return value != nullptr && value->is_number() ? value->to_number<double>() : 0;
}

bool is_good(const json::object& entry) {
  const std::string outcome = words_at(entry, "outcome");
  return outcome == "pass" || outcome == "killed";
}

/// "35.36", "40": no more than two places.
std::string plain_points(double points) {
  std::string text = fmt::format("{:.2f}", points);
  text.resize(text.find_last_not_of('0') + 1);
  return text.ends_with('.') ? text.substr(0, text.size() - 1) : text;
}

/// What of `most` was got; of a case without points, a dash.
std::string share_text(double points, double most) {
  return most > 0
             ? in_own_language(fmt::format("{} of {}", plain_points(points), plain_points(most)))
             : "–";
}

/// A row of the table of cases, and below it the steps of what failed. A point of the result is
/// `scale` points of the gradebook.
std::string row_of(const json::object& entry, double scale) {
  const bool is_hidden = words_at(entry, "visibility") == "hidden";
  std::string what = in_html(plain_line(words_at(entry, "id")));
  if (const std::string symptom = words_at(entry, "symptom"); !symptom.empty() && !is_hidden) {
    what = fmt::format("{} <small>{}</small>", in_html(in_own_language(symptom)), what);
  }
  std::string row = fmt::format(
      "<tr><td>{}<td>{}<td>{}<td>", in_own_language(is_good(entry) ? "✓ yes" : "✗ no"), what,
      share_text(number_at(entry, "points") * scale, number_at(entry, "max_points") * scale));
  if (is_hidden) {
    return row + in_own_language("hidden") + "\n";
  }
  row += in_html(in_own_language(words_at(entry, "message")));
  if (const std::string steps = words_at(entry, "narration"); !steps.empty() && !is_good(entry)) {
    row += fmt::format("<pre>{}</pre>", in_html(in_own_language(steps)));
  }
  return row + "\n";
}

std::string lateness_note(const Lateness& lateness) {
  if (lateness.days == 0) {
    return "";
  }
  return fmt::format(
      "<p>{}\n",
      in_own_language(fmt::format(
          "{} late: {} % of the points count.",
          lateness.days == 1 ? "1 day" : fmt::format("{} days", lateness.days), lateness.percent)));
}

/// How points come about, so that a student can say what a part of them means.
std::string_view rule_of(const json::array& cases) {
  const auto has = [&cases](std::string_view kind) {
    return std::ranges::any_of(cases, [kind](const json::value& entry) {
      return entry.is_object() && words_at(entry.as_object(), "kind") == kind;
    });
  };
  if (has("defect")) {
    return "Half of the points: half of the broken libraries were caught, or half of the tests "
           "that fail somewhere ask for what is not promised. A broken library is caught if a "
           "valid test fails on it in every run.";
  }
  return has("hidden") || has("visible")
             ? "Half of the points: half of the tests pass in every run."
             : "";
}

/// An exercise's title is translated, what a course calls it is not.
std::string heading_of(const Assignment& exercise) {
  const std::string id = exercise.id + " ";
  return exercise.column.starts_with(id) ? id + in_own_language(exercise.column.substr(id.size()))
                                         : exercise.column;
}

std::string section_of(const Assignment& exercise, const GradebookEntry& entry) {
  std::string text = fmt::format(
      "<h2>{}</h2>\n",
      in_own_language(fmt::format("{}: {}", in_html(heading_of(exercise)),
                                  entry.has_points()
                                      ? fmt::format("{} of {} points", plain_points(entry.points),
                                                    plain_points(entry.points_max))
                                      : "not graded")));
  if (!entry.override.empty()) {
    text +=
        fmt::format("<p>{}\n", in_html(in_own_language(fmt::format(
                                   "Your instructor has set these points: {}", entry.override))));
  }
  if (const std::string_view advice = advice_for(entry.shortfall); !advice.empty()) {
    text += fmt::format("<p>{}\n", in_own_language(advice));
  }
  text += lateness_note(entry.lateness);
  if (entry.grade.empty()) {
    return text;
  }
  const json::value grade = json::parse(entry.grade);
  text += fmt::format("<pre>{}</pre>\n",
                      in_html(in_own_language(words_at(grade.as_object(), "summary"))));
  if (words_at(grade.as_object(), "status") != "not_gradable") {
    const std::string_view rule = rule_of(grade.at("cases").as_array());
    text += rule.empty() ? "" : fmt::format("<p>{}\n", in_own_language(rule));
    text += "<table>\n<tr>";
    for (const char* const column : {"good", "what", "points", "why"}) {
      text += fmt::format("<th>{}", in_own_language(column));
    }
    text += "\n";
    const double most = number_at(grade.as_object(), "max_points");
    const double scale = most > 0 ? entry.points_max / most : 1;
    for (const json::value& each : grade.at("cases").as_array()) {
      text += each.is_object() ? row_of(each.as_object(), scale) : "";
    }
    text += "</table>\n";
  }
  return text;
}

}  // namespace

std::string feedback_page(const Gradebook& book, const Student& student) {
  const std::string name = in_html(student.name.empty() ? student.id : student.name);
  double points = 0;
  double most = 0;
  std::string sections;
  for (const Assignment& exercise : book.exercises) {
    const GradebookEntry& entry = book.entry(student, exercise);
    points += entry.has_points() ? entry.points : 0;
    most += entry.has_points() ? entry.points_max : 0;
    sections += section_of(exercise, entry);
  }
  return fmt::format(
      "<!doctype html>\n<html lang={3}><meta charset=utf-8>"
      "<meta name=viewport content=\"width=device-width\"><title>{0}</title>\n"
      "<style>{1}</style>\n<h1>{2}</h1>\n{4}</html>\n",
      name, kStyle,
      in_own_language(fmt::format(
          "{}: {}", name,
          most > 0 ? fmt::format("{} of {} points", plain_points(points), plain_points(most))
                   : "nothing graded yet")),
      own_language() == "zh" ? "zh-CN" : "en", sections);
}

}  // namespace watchlab::course
