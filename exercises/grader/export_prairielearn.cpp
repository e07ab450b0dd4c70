// PrairieLearn's external grader results. What does not compile uses no attempt.
#include <algorithm>
#include <boost/json.hpp>

#include "exercises/grader/grade.hpp"
#include "exercises/grader/plain_text.hpp"

namespace watchlab::course {

namespace json = boost::json;

namespace {

constexpr std::size_t bytes_max = 1'000'000;  // of the whole

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
    text = text.size() > bytes_max ? written(grade, less) : text;
  }
  return text;
}

}  // namespace watchlab::course
