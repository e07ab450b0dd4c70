#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <cstdlib>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "exercises/grader/grade.hpp"
#include "exercises/programs/texts.hpp"
#include "scenarios/command_line/xml.hpp"

namespace watchlab::course {

// The neutral form: everything that is known, for instructors and their tools.

namespace {

namespace json = boost::json;

std::string_view to_string(Grade::Status status) {
  constexpr std::array words{"running", "finished", "not_gradable"};
  return words.at(static_cast<std::size_t>(status));
}

json::object line_of(const GradeCase& entry) {
  return {{"id", entry.id},
          {"kind", entry.kind},
          {"clause", entry.clause},
          {"variant", entry.variant},
          {"outcome", entry.outcome},
          {"points", rounded(entry.points)},
          {"max_points", rounded(entry.points_max)},
          {"visibility", entry.hidden ? "hidden" : "visible"},
          {"symptom", entry.symptom},
          {"message", entry.message},
          {"narration", entry.narration},
          {"schedule", entry.schedule}};
}

}  // namespace

std::string to_json(const Grade& given) {
  const Grade grade = presentable(given);
  json::array cases;
  for (const GradeCase& entry : grade.cases) {
    cases.push_back(line_of(entry));
  }
  const json::object root{{"schema", "watchlab/grade/v1"},
                          {"exercise", grade.exercise},
                          {"title", grade.title},
                          {"status", to_string(grade.status)},
                          {"seed", grade.seed},
                          {"points", std::min(grade.points(), rounded(grade.points_max))},
                          {"max_points", rounded(grade.points_max)},
                          {"validity", rounded(grade.validity)},
                          {"thoroughness", rounded(grade.thoroughness)},
                          {"summary", grade.summary},
                          {"walls", json::array(grade.walls.begin(), grade.walls.end())},
                          {"wall_ms", grade.wall_ms},
                          {"cases", std::move(cases)}};
  return json::serialize(root) + "\n";
}

// Gradescope's results.json.

namespace {

/// A hidden case is shown with its points but without its name and text: were it hidden on
/// Gradescope, students would see no total.
json::object line_of(const GradeCase& entry, std::size_t number) {
  json::object line{{"number", std::to_string(number)},
                    {"name", entry.id},
                    {"status", is_good(entry) ? "passed" : "failed"},
                    {"output_format", "text"},
                    {"visibility", "visible"}};
  if (entry.points_max > 0) {
    line["score"] = rounded(entry.points);
    line["max_score"] = rounded(entry.points_max);
  }
  if (!entry.hidden) {
    line["output"] =
        entry.narration.empty() ? entry.message : entry.message + "\n\n" + entry.narration;
  }
  if (!entry.clause.empty() && !entry.hidden) {
    line["tags"] = json::array{json::string(entry.clause)};
  }
  return line;
}

}  // namespace

std::string to_gradescope(const Grade& given) {
  const Grade grade = presentable(given);
  json::array tests;
  for (const GradeCase& entry : grade.cases) {
    tests.push_back(line_of(entry, tests.size() + 1));
  }
  const json::object root{
      {"score", std::min(grade.points(), rounded(grade.points_max))},
      {"execution_time", static_cast<double>(grade.wall_ms) / 1000},
      {"output", grade.summary},
      {"output_format", "text"},
      {"visibility", "visible"},
      {"stdout_visibility", "hidden"},
      {"extra_data", json::object{{"exercise", grade.exercise},
                                  {"validity", rounded(grade.validity)},
                                  {"thoroughness", rounded(grade.thoroughness)},
                                  {"walls", json::array(grade.walls.begin(), grade.walls.end())}}},
      {"tests", std::move(tests)}};
  return json::serialize(root) + "\n";
}

// Classroom 50's classroom50/result/v1. Its numbers are whole. What says which submission this is
// comes from the environment of its runner, which is asked for by name.

namespace {

std::string from_environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// Its sums are those of the tests, so what a grade without points has to offer needs one, too.
WholePoints whole(const Grade& grade) {
  std::vector<double> points;
  std::vector<double> most;
  double in_all = 0;
  for (const GradeCase& entry : grade.cases) {
    points.push_back(entry.points);
    most.push_back(entry.points_max);
    in_all += entry.points_max;
  }
  if (in_all <= 0 && !most.empty()) {
    most.front() = grade.points_max;
  }
  return whole_points(points, most);
}

json::array tests_of(const Grade& grade, const WholePoints& numbers) {
  json::array tests;
  for (std::size_t i = 0; i < grade.cases.size(); ++i) {
    const GradeCase& entry = grade.cases[i];
    tests.push_back(json::object{{"test-name", entry.id},
                                 {"passed", is_good(entry)},
                                 {"score", numbers.points[i]},
                                 {"max-score", numbers.most[i]},
                                 {"message", entry.hidden ? "" : entry.message}});
  }
  return tests;
}

}  // namespace

std::string to_classroom50(const Grade& given) {
  Grade grade = presentable(given);
  if (grade.cases.empty()) {
    grade.cases = {{.id = "grading", .kind = "compile", .outcome = "not_run"}};
  }
  const WholePoints numbers = whole(grade);
  json::object root{{"schema", "classroom50/result/v1"},
                    {"classroom", from_environment("CLASSROOM")},
                    {"assignment", from_environment("ASSIGNMENT")},
                    {"assignment_type", from_environment("ASSIGNMENT_TYPE")},
                    {"owner", from_environment("OWNER")},
                    {"submission", from_environment("SUBMISSION_TAG")},
                    {"commit", from_environment("COMMIT_URL")},
                    {"release", from_environment("RELEASE_URL")},
                    {"review", from_environment("REVIEW_URL")},
                    {"datetime", from_environment("SUBMISSION_TIME")},
                    {"score", std::accumulate(numbers.points.begin(), numbers.points.end(), 0L)},
                    {"max-score", std::accumulate(numbers.most.begin(), numbers.most.end(), 0L)},
                    {"tests", tests_of(grade, numbers)}};
  if (const std::string user = from_environment("USERNAME"); !user.empty()) {
    root["submitted_by"] = json::object{{"username", user}};
  }
  return json::serialize(root) + "\n";
}

// PrairieLearn's external grader results. What does not compile uses no attempt.

namespace {

constexpr std::size_t kBytesMax = 1'000'000;  // of the whole

/// With at most so much of each text.
std::string written(const Grade& grade, std::size_t text_bytes_max) {
  const bool gradable = grade.status != Grade::Status::NotGradable;
  json::array tests;
  for (const GradeCase& entry : grade.cases) {
    json::object test{{"name", beginning_of(entry.id, 200)},
                      {"points", rounded(entry.points)},
                      {"max_points", rounded(entry.points_max)}};
    if (!entry.hidden) {
      test["message"] = beginning_of(entry.message, text_bytes_max);
      test["output"] = beginning_of(entry.narration, text_bytes_max);
    }
    tests.push_back(std::move(test));
  }
  const std::string message = beginning_of(grade.summary, 20'000);
  json::object root{{"gradable", gradable}, {"message", message}, {"tests", tests}};
  if (gradable) {
    const double most = std::max(grade.points_max, 1e-9);
    root["score"] = std::clamp(grade.points() / most, 0.0, 1.0);
  } else {
    root["format_errors"] = json::array{json::string(message)};
  }
  return json::serialize(root) + "\n";
}

}  // namespace

std::string to_prairielearn(const Grade& given) {
  const Grade grade = presentable(given);
  std::string text = written(grade, 4000);
  for (const std::size_t less : {400, 40, 0}) {
    text = text.size() > kBytesMax ? written(grade, less) : text;
  }
  return text;
}

// Exercism's results.json, version 3.

namespace {

constexpr std::size_t kOutputBytesMax = 500;
constexpr std::size_t kMessageBytesMax = 65'535;

std::string status_of(const GradeCase& entry) {
  if (is_good(entry)) {
    return "pass";
  }
  return entry.outcome == "crash" || entry.outcome == "hang" || entry.outcome == "not_run" ? "error"
                                                                                           : "fail";
}

}  // namespace

std::string to_exercism(const Grade& given) {
  const Grade grade = presentable(given);
  json::array tests;
  bool all_pass = true;
  for (const GradeCase& entry : grade.cases) {
    const std::string status = status_of(entry);
    json::object test{{"name", entry.id}, {"status", status}};
    if (status != "pass") {
      all_pass = false;
      test["message"] = entry.hidden ? "" : beginning_of(entry.message, kMessageBytesMax);
    }
    if (!entry.narration.empty() && !entry.hidden) {
      test["output"] = beginning_of(entry.narration, kOutputBytesMax);
    }
    tests.push_back(std::move(test));
  }
  const bool error = grade.status != Grade::Status::Finished;
  json::object root{{"version", 3}, {"status", error ? "error" : all_pass ? "pass" : "fail"}};
  if (error) {
    root["message"] = beginning_of(grade.summary, kMessageBytesMax);
  }
  root["tests"] = std::move(tests);
  return json::serialize(root) + "\n";
}

// What a template grader of Moodle's CodeRunner prints: a share of the marks, and a table that the
// student sees. A hidden case has its points there and no text.

std::string to_coderunner(const Grade& given) {
  const Grade grade = presentable(given);
  json::array rows;  // pushed, since Clang takes an array within braces for a copy
  rows.push_back(json::array{"iscorrect", "What", "Points", "Why"});
  for (const GradeCase& entry : grade.cases) {
    rows.push_back(
        json::array{is_good(entry) ? 1 : 0, entry.id,
                    fmt::format("{} of {}", rounded(entry.points), rounded(entry.points_max)),
                    entry.hidden ? "" : beginning_of(entry.message, kMessageBytesMax)});
  }
  const double most = std::max(grade.points_max, 1e-9);
  const bool is_finished = grade.status == Grade::Status::Finished;
  return json::serialize(json::object{
             {"fraction", is_finished ? std::clamp(grade.points() / most, 0.0, 1.0) : 0.0},
             {"prologuehtml",
              fmt::format("<pre>{}</pre>", in_html(beginning_of(grade.summary, kMessageBytesMax)))},
             {"testresults", std::move(rows)}}) +
         "\n";
}

// What an autograder of Autolab prints: text for the student, and as its last line the scores by
// problem. The problem is named like the exercise.

std::string to_autolab(const Grade& given) {
  const Grade grade = presentable(given);
  std::string text = grade.summary + "\n\n";
  for (const GradeCase& entry : grade.cases) {
    text += fmt::format("{} {}: {} of {}\n", is_good(entry) ? "yes" : "no ", entry.id,
                        rounded(entry.points), rounded(entry.points_max));
    if (!entry.hidden && !is_good(entry) && !entry.message.empty()) {
      text += beginning_of(entry.message, kMessageBytesMax) + "\n";
    }
  }
  const double points = std::min(grade.points(), rounded(grade.points_max));
  return text + "\n" +
         json::serialize(json::object{{"scores", json::object{{grade.exercise, points}}}}) + "\n";
}

// JUnit XML, as most tools read it. Partial points stand in properties only.

namespace {

using scenarios::XmlElement;

bool is_error(const GradeCase& entry) {
  return entry.outcome == "crash" || entry.outcome == "hang";
}
bool is_skipped(const GradeCase& entry) { return entry.outcome == "not_run"; }
bool is_shown_as_failure(const GradeCase& entry) {
  return !is_good(entry) && !is_error(entry) && !is_skipped(entry);
}

XmlElement testcase_of(const Grade& grade, const GradeCase& entry) {
  XmlElement properties{.name = "properties"};
  const auto add = [&properties](std::string name, std::string value) {
    if (!value.empty()) {
      properties.children.push_back(
          {.name = "property",
           .attributes = {{"name", std::move(name)}, {"value", std::move(value)}}});
    }
  };
  add("score", fmt::format("{}", rounded(entry.points)));
  add("max_score", fmt::format("{}", rounded(entry.points_max)));
  add("seed", std::to_string(grade.seed));
  add("clause", entry.hidden ? "" : entry.clause);
  add("schedule_id", entry.hidden ? "" : entry.schedule);
  XmlElement testcase{.name = "testcase",
                      .attributes = {{"name", entry.id},
                                     {"classname", "exercise." + grade.exercise},
                                     {"time", "0"}},
                      .children = {std::move(properties)}};
  const std::string message = entry.hidden ? "hidden" : entry.message;
  if (is_skipped(entry)) {
    testcase.children.push_back({.name = "skipped", .attributes = {{"message", message}}});
  } else if (is_error(entry) || is_shown_as_failure(entry)) {
    testcase.children.push_back({.name = is_error(entry) ? "error" : "failure",
                                 .attributes = {{"message", message}, {"type", entry.outcome}},
                                 .text = entry.hidden ? "" : entry.narration});
  }
  return testcase;
}

}  // namespace

std::string to_junit(const Grade& given) {
  const Grade grade = presentable(given);
  const auto count = [&grade](bool (*is)(const GradeCase&)) {
    return fmt::format("{}", std::count_if(grade.cases.begin(), grade.cases.end(), is));
  };
  const std::vector<std::pair<std::string, std::string>> counts{
      {"tests", std::to_string(grade.cases.size())},
      {"failures", count(&is_shown_as_failure)},
      {"errors", count(&is_error)},
      {"skipped", count(&is_skipped)},
      {"time", fmt::format("{}", static_cast<double>(grade.wall_ms) / 1000)}};
  XmlElement suite{.name = "testsuite",
                   .attributes = {{"name", grade.exercise + " " + grade.title}}};
  suite.attributes.insert(suite.attributes.end(), counts.begin(), counts.end());
  for (const GradeCase& entry : grade.cases) {
    suite.children.push_back(testcase_of(grade, entry));
  }
  suite.children.push_back({.name = "system-out", .text = grade.summary});
  XmlElement suites{.name = "testsuites", .attributes = {{"name", "watchlab-course"}}};
  suites.attributes.insert(suites.attributes.end(), counts.begin(), counts.end());
  suites.children.push_back(std::move(suite));
  return scenarios::xml_document(suites);
}

}  // namespace watchlab::course
