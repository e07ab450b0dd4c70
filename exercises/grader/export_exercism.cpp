// Exercism's results.json, version 3.
#include <algorithm>
#include <boost/json.hpp>
#include <string>

#include "exercises/grader/grade.hpp"
#include "exercises/grader/plain_text.hpp"

namespace watchlab::course {
namespace {

namespace json = boost::json;

constexpr std::size_t output_bytes_max = 500;
constexpr std::size_t message_bytes_max = 65'535;

std::string status_of(const GradeCase& entry) {
  if (entry.outcome == "pass" || entry.outcome == "killed") {
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
      test["message"] = entry.hidden ? "" : beginning_of(entry.message, message_bytes_max);
    }
    if (!entry.narration.empty() && !entry.hidden) {
      test["output"] = beginning_of(entry.narration, output_bytes_max);
    }
    tests.push_back(std::move(test));
  }
  const bool error = grade.status != Grade::Status::Finished;
  json::object root{{"version", 3}, {"status", error ? "error" : all_pass ? "pass" : "fail"}};
  if (error) {
    root["message"] = grade.summary.empty() ? "grading did not come to its end"
                                            : beginning_of(grade.summary, message_bytes_max);
  }
  root["tests"] = std::move(tests);
  return json::serialize(root) + "\n";
}

}  // namespace watchlab::course
