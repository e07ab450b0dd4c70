// Classroom 50's classroom50/result/v1. Its numbers are whole. What says which submission this is
// comes from the environment of its runner, which is asked for by name.
#include <boost/json.hpp>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "exercises/grader/grade.hpp"
#include "exercises/grader/score.hpp"

namespace watchlab::course {
namespace {

namespace json = boost::json;

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
                                 {"passed", entry.outcome == "pass" || entry.outcome == "killed"},
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

}  // namespace watchlab::course
