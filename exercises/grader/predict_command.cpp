#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "exercises/grader/commands.hpp"
#include "exercises/grader/grading.hpp"
#include "exercises/grader/questions.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;

struct PredictOptions {
  std::string id;
  std::string homework;
};

/// The first complete answers are kept; what is revealed afterwards does not change them.
fs::path locked_answers(const Exercise& exercise, const fs::path& folder) {
  const fs::path locked = folder / ".locked" / "answers.yaml";
  if (!fs::exists(locked)) {
    const Answers given = read_answers(folder / "answers.yaml");
    for (const Question& question : read_questions(exercise)) {
      const auto answer = given.answers.find(question.id);
      if (answer == given.answers.end() || answer->second.empty()) {
        throw BadInput(fmt::format("{} has no answer to {} yet: {}",
                                   (folder / "answers.yaml").string(), question.id, question.ask));
      }
    }
    fs::create_directories(locked.parent_path());
    fs::copy_file(folder / "answers.yaml", locked);
  }
  return locked;
}

void reveal(Console& console, const Exercise& exercise, const Answers& given) {
  const Answers right = right_answers(exercise, exercise.folder / "instructor");
  Grade grade;
  put_answers(grade, exercise, given, right);
  const std::vector<Question> questions = read_questions(exercise);
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const Question& question = questions[i];
    const bool is_right = grade.cases[i].outcome == "pass";
    console.line(
        fmt::format("  {} {}", is_right ? console.good("✓") : console.bad("✗"), question.ask));
    if (!is_right && question.measured) {
      console.line(fmt::format("      it was {}", measured_answer(exercise, question)));
    }
    const auto because = right.because.find(question.id);
    if (because != right.because.end()) {
      console.line("      " + because->second);
    }
  }
  console.line(grade.summary);
}

int predict(const PredictOptions& options) {
  const Toolchain toolchain = own_toolchain();
  Homework homework = homework_at(options.homework);
  const Exercise exercise = chosen_exercise(toolchain, homework, options.id);
  if (exercise.task != Task::Predict) {
    throw BadInput(fmt::format("{} is no exercise of predictions; watchlab-course check {}",
                               exercise.id, exercise.id));
  }
  const fs::path folder = homework.folder_of(exercise);
  if (!fs::exists(folder / "answers.yaml")) {
    throw BadInput(
        fmt::format("{} is not started: watchlab-course start {}", exercise.id, exercise.id));
  }
  const fs::path locked = locked_answers(exercise, folder);
  Console console({});
  reveal(console, exercise, read_answers(locked));
  Sandbox sandbox;
  const Workplace place{toolchain, sandbox, exercise, [](std::string_view) {}};
  const Grade grade =
      Grading(place, [](const Grade&) {}).grade({.submission = locked.parent_path()});
  Progress& progress = homework.of(exercise.id);
  progress.attempts = 1;
  progress.best = std::max(progress.best, grade.points());
  progress.done = true;
  homework.save();
  console.line(read_hints(exercise).after);
  return scenarios::exit_held;
}

}  // namespace

scenarios::Command predict_command() {
  const auto options = std::make_shared<PredictOptions>();
  return {
      .name = "predict",
      .summary = "locks your answers, plays the stories and shows what came true",
      .footer =
          "Your first complete answers are locked before anything is revealed.\n"
          "Example: watchlab-course predict E07",
      .arguments = {exercise_argument(options->id, false), homework_argument(options->homework)},
      .run = [options] { return guarded([&] { return predict(*options); }); }};
}

}  // namespace watchlab::course
