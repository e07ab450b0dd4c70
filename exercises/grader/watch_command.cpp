#include <fmt/format.h>
#include <poll.h>

#include <cstdio>
#include <memory>

#include "exercises/grader/commands.hpp"
#include "exercises/grader/plain_process.hpp"
#include "exercises/grader/program_cache.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;

struct WatchOptions {
  std::string id;
  std::string homework;
  std::size_t checks = 0;
};

std::string contents_of(const Exercise& exercise, const fs::path& folder) {
  std::string state;
  for (const std::string& file : exercise.files) {
    state += state_of(folder / file);
  }
  return state;
}

int watch(const WatchOptions& options) {
  const Toolchain toolchain = own_toolchain();
  const Homework homework = homework_at(options.homework);
  const Exercise exercise = chosen_exercise(toolchain, homework, options.id);
  const fs::path folder = homework.folder_of(exercise);
  Console console({});
  console.line(fmt::format("Watching {}; end with Ctrl-C.", folder.string()));
  std::string seen;
  std::size_t checks = 0;
  while (options.checks == 0 || checks < options.checks) {
    const std::string state = contents_of(exercise, folder);
    // An editor may take a file away for a moment when it saves.
    if (state == seen || state.empty()) {
      ::poll(nullptr, 0, 200);
      continue;
    }
    seen = state;
    ++checks;
    // A process of its own, as if the student had typed it.
    const ProcessEnd end = run_plainly({fs::read_symlink("/proc/self/exe").string(), "check",
                                        exercise.id, "--homework", homework.folder().string()},
                                       fs::current_path());
    console.line(end.output);
    std::fflush(stdout);  // for those who read it through a pipe
  }
  return scenarios::exit_held;
}

}  // namespace

scenarios::Command watch_command() {
  const auto options = std::make_shared<WatchOptions>();
  return {.name = "watch",
          .summary = "checks again whenever you save",
          .footer = "Example: watchlab-course watch E01t",
          .arguments = {exercise_argument(options->id, false),
                        homework_argument(options->homework),
                        {.name = "--checks",
                         .target = &options->checks,
                         .help = "Ends after so many; for ever if left out"}},
          .run = [options] { return guarded([&] { return watch(*options); }); }};
}

}  // namespace watchlab::course
