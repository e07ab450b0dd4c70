#include "exercises/grader/grading.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <system_error>
#include <utility>

#include "exercises/grader/diagnosis.hpp"
#include "exercises/grader/predictions.hpp"
#include "exercises/grader/questions.hpp"
#include "exercises/grader/written_stories.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;

using Clock = std::chrono::steady_clock;

std::int64_t milliseconds_since(Clock::time_point start) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start).count();
}

}  // namespace

Grade Grading::grade(const GradingRequest& request) {
  const Clock::time_point start = Clock::now();
  grade_ = Grade{.exercise = context_.exercise.id,
                 .title = context_.exercise.title,
                 .seed = request.seeds.front(),
                 .points_max = static_cast<double>(context_.exercise.points),
                 .summary = "being graded",
                 .walls = context_.sandbox.walls()};
  listener_(grade_);
  if (has_all_files(request)) {
    switch (context_.exercise.task) {
      case Task::Tests:
      case Task::ModelCheck:
        grade_suite(request);
        break;
      case Task::Diagnose:
        grade_diagnoses(request);
        break;
      case Task::WriteScenario:
        grade_stories(request);
        break;
      case Task::Predict:
        grade_predictions(request);
        break;
      case Task::Implement:
        grade_implementation(request);
        break;
      default:
        throw BadInput(fmt::format("{} is no exercise that is graded", context_.exercise.id));
    }
  }
  grade_.wall_ms = milliseconds_since(start);
  listener_(grade_);
  return grade_;
}

void Grading::refuse(const std::string& why, const std::string& outcome) {
  grade_.status = Grade::Status::NotGradable;
  grade_.summary = why;
  grade_.cases = {{.id = "compile", .kind = "compile", .outcome = outcome, .message = why}};
}

bool Grading::has_all_files(const GradingRequest& request) {
  for (const std::string& file : context_.exercise.files) {
    // A link could point at anything of the grader's machine.
    const fs::path path = request.submission / file;
    std::error_code closed;
    if (!fs::is_regular_file(fs::symlink_status(path, closed))) {
      refuse(fmt::format("{}{} is missing", kTheFile, file));
      return false;
    }
    constexpr std::uintmax_t bytes_max = 1024 * 1024;
    if (::access(path.c_str(), R_OK) != 0) {
      refuse(fmt::format("{}{} cannot be read", kTheFile, file));
      return false;
    }
    if (fs::file_size(path) > bytes_max) {
      refuse(fmt::format("{}{} is larger than a megabyte", kTheFile, file));
      return false;
    }
  }
  return true;
}

void Grading::begin_to_run(std::chrono::seconds time_max) {
  context_.notify("running the tests");
  context_.until = Clock::now() + time_max;
}

void Grading::grade_predictions(const GradingRequest& request) {
  std::optional<Predictions> record;
  try {
    record.emplace(context_.exercise, request.submission / "answers.yaml");
  } catch (const BadInput& wrong) {
    refuse(wrong.what());
    return;
  }
  if (const std::string broken = record->broken(); !broken.empty()) {
    refuse(broken);
    return;
  }
  const api::Labels counted = record->counted();
  if (counted.empty()) {
    refuse(fmt::format("answers.yaml holds no answer that was locked: watchlab-course predict {}",
                       context_.exercise.id));
    return;
  }
  put_answers(grade_, context_.exercise, {.answers = counted, .because = {}},
              right_answers(context_.exercise, request.instructor));
  grade_.summary += record->notes();
  grade_.status = Grade::Status::Finished;
}

void Grading::grade_diagnoses(const GradingRequest& request) {
  const fs::path known = answers_of_instructor(context_.exercise, request.instructor);
  Diagnoses given;
  try {
    given = read_diagnoses(request.submission / "answers.yaml");
  } catch (const BadInput& wrong) {
    refuse(wrong.what());
    return;
  }
  // A bundle does not have the answers: there each clause counts until it is graded.
  put_diagnoses(grade_, context_, given, known.empty() ? given : read_diagnoses(known));
  grade_.summary += known.empty() ? " The grade will show whether the clauses are right." : "";
  grade_.status = Grade::Status::Finished;
}

void Grading::grade_stories(const GradingRequest& request) {
  if (is_about_controllers(context_.exercise)) {
    grade_stories_of_controllers(request);
    return;
  }
  begin_to_run(request.time_max);
  put_stories(grade_, context_, request.submission);
  grade_.status = Grade::Status::Finished;
}

}  // namespace watchlab::course
