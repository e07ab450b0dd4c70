#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "exercises/grader/commands.hpp"

namespace watchlab::course {
namespace {

struct HintOptions {
  std::string id;
  std::string homework;
  std::size_t level = 0;
};

int hint(const HintOptions& options) {
  const Toolchain toolchain = own_toolchain();
  Homework homework = homework_at(options.homework);
  const Exercise exercise = chosen_exercise(toolchain, homework, options.id);
  const Hints hints = read_hints(exercise);
  Progress& progress = homework.of(exercise.id);
  Console console({});
  if (progress.done && options.level == 0) {
    console.line(hints.after);
    return scenarios::exit_held;
  }
  const std::size_t wanted = options.level == 0 ? progress.hints + 1 : options.level;
  const std::size_t level = std::min(wanted, hints.hints.size());
  console.line(hints.hints[level - 1]);
  progress.hints = std::max(progress.hints, level);
  homework.save();
  return scenarios::exit_held;
}

}  // namespace

scenarios::Command hint_command() {
  const auto options = std::make_shared<HintOptions>();
  return {.name = "hint",
          .summary = "the next hint, or why it works once it does",
          .footer = "Each call gives a larger hint.\nExample: watchlab-course hint E01t",
          .arguments = {exercise_argument(options->id, false),
                        homework_argument(options->homework),
                        {.name = "--level",
                         .target = &options->level,
                         .help = "The hint of that size again",
                         .least = 1,
                         .most = 3}},
          .run = [options] { return guarded([&] { return hint(*options); }); }};
}

}  // namespace watchlab::course
