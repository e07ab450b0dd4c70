// The neutral form: everything that is known, for instructors and their tools.
#include <algorithm>
#include <boost/json.hpp>

#include "exercises/grader/grade.hpp"

namespace watchlab::course {
namespace {

namespace json = boost::json;

std::string_view word_for(Grade::Status status) {
  switch (status) {
    case Grade::Status::Running:
      return "running";
    case Grade::Status::Finished:
      return "finished";
    case Grade::Status::NotGradable:
      break;
  }
  return "not_gradable";
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
                          {"status", word_for(grade.status)},
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

}  // namespace watchlab::course
