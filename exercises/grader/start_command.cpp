#include <fmt/format.h>

#include <memory>

#include "exercises/grader/commands.hpp"

namespace watchlab::course {
namespace {

struct StartOptions {
  std::string id;
  std::string homework;
};

std::string next_step(const Exercise& exercise) {
  switch (exercise.task) {
    case Task::Tour:
      return "Read its README.md and follow it.";
    case Task::Predict:
      return fmt::format("Read its README.md, then: watchlab-course predict {}", exercise.id);
    default:
      return fmt::format("Read its README.md, edit {}, then: watchlab-course check",
                         exercise.files.empty() ? "answers.yaml" : exercise.files.front());
  }
}

int start(const StartOptions& options) {
  const Toolchain toolchain = own_toolchain();
  Homework homework = homework_at(options.homework);
  const Exercise exercise = chosen_exercise(toolchain, homework, options.id);
  const bool fresh = homework.start(exercise);
  homework.save();
  Console console({});
  console.line(fmt::format("{}: {} ({}, {} minutes)", exercise.id, exercise.title, exercise.level,
                           exercise.minutes));
  console.line(fmt::format("{} {}", fresh ? "Your files are in" : "Your files stay as they are in",
                           homework.folder_of(exercise).string()));
  console.line(next_step(exercise));
  return scenarios::exit_held;
}

}  // namespace

scenarios::Command start_command() {
  const auto options = std::make_shared<StartOptions>();
  return {.name = "start",
          .summary = "copies an exercise into your folder",
          .footer = "Example: watchlab-course start E01t",
          .arguments = {exercise_argument(options->id, true), homework_argument(options->homework)},
          .run = [options] { return guarded([&] { return start(*options); }); }};
}

}  // namespace watchlab::course
