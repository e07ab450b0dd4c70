// Classroom 50's classroom50/result/v1. Its numbers are whole. What says which submission this is
// comes from the environment of its runner, which is asked for by name.
#include <boost/json.hpp>
#include <cmath>
#include <cstdlib>
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

std::vector<long> whole(const Grade& grade, double GradeCase::*number) {
  std::vector<double> shares;
  for (const GradeCase& entry : grade.cases) {
    shares.push_back(entry.*number);
  }
  return whole_shares(shares);
}

json::array tests_of(const Grade& grade) {
  const std::vector<long> scores = whole(grade, &GradeCase::points);
  const std::vector<long> most = whole(grade, &GradeCase::points_max);
  json::array tests;
  for (std::size_t i = 0; i < grade.cases.size(); ++i) {
    const GradeCase& entry = grade.cases[i];
    tests.push_back(json::object{{"test-name", entry.id},
                                 {"passed", entry.outcome == "pass" || entry.outcome == "killed"},
                                 {"score", scores[i]},
                                 {"max-score", most[i]},
                                 {"message", entry.hidden ? "" : entry.message}});
  }
  return tests;
}

}  // namespace

std::string to_classroom50(const Grade& grade) {
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
                    {"score", std::lround(grade.points() + 1e-9)},
                    {"max-score", std::lround(grade.points_max)},
                    {"tests", tests_of(grade)}};
  if (const std::string user = from_environment("USERNAME"); !user.empty()) {
    root["submitted_by"] = json::object{{"username", user}};
  }
  return json::serialize(root) + "\n";
}

}  // namespace watchlab::course
