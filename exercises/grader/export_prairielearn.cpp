// PrairieLearn's external grader results. What does not compile uses no attempt.
#include <algorithm>
#include <boost/json.hpp>

#include "exercises/grader/grade.hpp"

namespace watchlab::course {

namespace json = boost::json;

std::string to_prairielearn(const Grade& grade) {
  constexpr std::size_t output_bytes_max = 4000;  // the whole may have a megabyte
  const bool gradable = grade.status != Grade::Status::NotGradable;
  json::array tests;
  for (const GradeCase& entry : grade.cases) {
    json::object test{{"name", entry.id},
                      {"points", rounded(entry.points)},
                      {"max_points", rounded(entry.points_max)}};
    if (!entry.hidden) {
      test["message"] = entry.message;
      test["output"] = entry.narration.substr(0, output_bytes_max);
    }
    tests.push_back(std::move(test));
  }
  json::object root{{"gradable", gradable}, {"message", grade.summary}, {"tests", tests}};
  if (gradable) {
    const double most = std::max(grade.points_max, 1e-9);
    root["score"] = std::clamp(grade.points() / most, 0.0, 1.0);
  } else {
    root["format_errors"] = json::array{json::string(grade.summary)};
  }
  return json::serialize(root) + "\n";
}

}  // namespace watchlab::course
