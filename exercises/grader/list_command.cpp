#include <fmt/format.h>

#include <memory>

#include "exercises/grader/commands.hpp"

namespace watchlab::course {
namespace {

std::string word_for_progress(const Progress* progress) {
  if (progress == nullptr) {
    return "";
  }
  if (progress->done) {
    return "done";
  }
  return progress->attempts == 0 ? "started" : fmt::format("{:.0f} points", progress->best);
}

int list(const std::string& folder) {
  const Toolchain toolchain = own_toolchain();
  const Homework homework = homework_at(folder);
  Console console({});
  for (const Exercise& exercise : read_exercises(toolchain.exercises())) {
    const std::string state = word_for_progress(homework.find(exercise.id));
    console.line(fmt::format("{} {:<6} {:<40} {:<11} {:<8} {:>3} min  {}",
                             exercise.id == homework.current() ? ">" : " ", exercise.id,
                             exercise.title, word_for(exercise.task), exercise.level,
                             exercise.minutes, state));
  }
  console.line("watchlab-course start ID begins one.");
  return scenarios::exit_held;
}

}  // namespace

scenarios::Command list_command() {
  const auto folder = std::make_shared<std::string>();
  return {.name = "list",
          .summary = "the exercises, and how far you are",
          .footer = "Example: watchlab-course list",
          .arguments = {homework_argument(*folder)},
          .run = [folder] { return guarded([&] { return list(*folder); }); }};
}

}  // namespace watchlab::course
