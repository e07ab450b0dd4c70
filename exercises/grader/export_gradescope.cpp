// Gradescope's results.json.
#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>

#include "exercises/grader/grade.hpp"

namespace watchlab::course {
namespace {

namespace json = boost::json;

bool is_good(const GradeCase& entry) {
  return entry.outcome == "pass" || entry.outcome == "killed";
}

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
  std::string output = grade.summary;
  if (grade.status == Grade::Status::Running) {
    output += "\nGrading did not come to its end; what is below was known by then.";
  }
  const json::object root{
      {"score", std::min(grade.points(), rounded(grade.points_max))},
      {"execution_time", static_cast<double>(grade.wall_ms) / 1000},
      {"output", output},
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

}  // namespace watchlab::course
