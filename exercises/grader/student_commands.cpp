#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <memory>
#include <vector>

#include "exercises/grader/commands.hpp"
#include "exercises/programs/builder.hpp"
#include "exercises/programs/exercise_set.hpp"
#include "exercises/programs/language.hpp"
#include "exercises/sandbox/processes.hpp"
#include "scenarios/command_line/page_layout.hpp"

namespace watchlab::course {
namespace {

/// What a student has of a set, as far as it is known at home.
std::string line_of(const ExerciseSet& set, const Homework& homework) {
  std::size_t done = 0;
  std::vector<std::string> parts;
  for (const ExerciseSet::Part& part : set.parts) {
    const Progress* const progress = homework.find(part.id);
    done += progress != nullptr && progress->done ? 1 : 0;
    parts.push_back(part.id);
  }
  return fmt::format("{}: {} ({}): {} of {} done", set.id, set.title, fmt::join(parts, ", "), done,
                     parts.size());
}

int list(const std::string& folder) {
  const Toolchain toolchain = own_toolchain();
  const Homework homework = homework_at(folder);
  StudentConsole console;
  const std::vector<Exercise> exercises = read_exercises(toolchain.exercises());
  const std::size_t columns = console.columns_or(std::numeric_limits<std::size_t>::max());
  std::vector<scenarios::PageRow> rows;
  for (const Exercise& exercise : exercises) {
    rows.push_back({(exercise.id == homework.current() ? "> " : "  ") + exercise.id,
                    in_own_language(exercise.title), in_own_language(to_string(exercise.task)),
                    in_own_language(exercise.level), fmt::format("{:>3} min", exercise.minutes),
                    in_own_language(words_of(homework.find(exercise.id)))});
  }
  std::string table = scenarios::table_text(rows, columns);
  table.resize(table.size() - (table.empty() ? 0 : 1));  // the last line ends as all do
  console.verbatim(table);
  for (const ExerciseSet& set : read_exercise_sets(toolchain.exercises(), exercises)) {
    console.line(line_of(set, homework));
  }
  console.line("watchlab-course start ID begins one.");
  return scenarios::kExitHeld;
}

}  // namespace

scenarios::Command list_command() {
  const auto folder = std::make_shared<std::string>();
  return {.name = "list",
          .summary = "lists the exercises and your progress",
          .footer = "Example: watchlab-course list",
          .arguments = {homework_argument(*folder)},
          .run = [folder] { return guarded([&] { return list(*folder); }); }};
}

namespace {

struct StartOptions {
  std::string id;
  std::string homework;
};

std::string next_step(const Exercise& exercise) {
  const std::string page =
      in_language(exercise.folder / "README.md", own_language()).filename().string();
  switch (exercise.task) {
    case Task::Tour:
      return fmt::format("Read its {} and follow it.", page);
    case Task::Predict:
      return fmt::format("Read its {}, then: watchlab-course predict {}", page, exercise.id);
    default:
      return fmt::format("Read its {}, edit {}, then: watchlab-course check", page,
                         exercise.files.empty() ? "answers.yaml" : exercise.files.front());
  }
}

/// Starts all parts of a homework; the first that is not done becomes the current one.
int start_parts(const Toolchain& toolchain, Homework& homework, const ExerciseSet& set) {
  const std::vector<Exercise> all = read_exercises(toolchain.exercises());
  const Exercise current = chosen_exercise(toolchain, homework, set.id);
  StudentConsole console;
  for (const ExerciseSet::Part& part : set.parts) {
    const Exercise& exercise = find_exercise(all, part.id);
    static_cast<void>(homework.start(toolchain, exercise));
    console.line(fmt::format("{}: {} ({}, {} minutes)", exercise.id, exercise.title, exercise.level,
                             exercise.minutes));
  }
  static_cast<void>(homework.of(current.id));
  homework.save();
  console.line(fmt::format("Your files are in {}", homework.folder().string()));
  console.line(
      fmt::format("Read {} first. The current exercise is {}.",
                  in_language(set.folder / "README.md", own_language()).lexically_normal().string(),
                  current.id));
  return scenarios::kExitHeld;
}

int start(const StartOptions& options) {
  const Toolchain toolchain = own_toolchain();
  Homework homework = homework_at(options.homework);
  const std::vector<ExerciseSet> sets =
      read_exercise_sets(toolchain.exercises(), read_exercises(toolchain.exercises()));
  if (const ExerciseSet* const set = find_set(sets, options.id); set != nullptr) {
    return start_parts(toolchain, homework, *set);
  }
  const Exercise exercise = chosen_exercise(toolchain, homework, options.id);
  const bool fresh = homework.start(toolchain, exercise);
  homework.save();
  StudentConsole console;
  console.line(fmt::format("{}: {} ({}, {} minutes)", exercise.id, exercise.title, exercise.level,
                           exercise.minutes));
  console.line(fmt::format("{} {}", fresh ? "Your files are in" : "Your files stay as they are in",
                           homework.folder_of(exercise).string()));
  console.line(next_step(exercise));
  return scenarios::kExitHeld;
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
  StudentConsole console;
  // What was revealed of predictions stays so, and a tour has no files.
  const bool is_as_checked = exercise.task == Task::Predict || exercise.task == Task::Tour ||
                             progress.checked == homework.fingerprint_of(exercise);
  if (progress.holds && is_as_checked && options.level == 0) {
    console.line(hints.after);
    return scenarios::kExitHeld;
  }
  const std::size_t wanted = options.level == 0 ? progress.hints + 1 : options.level;
  const std::size_t level = std::min(wanted, hints.hints.size());
  console.line(hints.hints[level - 1]);
  console.line(fmt::format("Hint {} of {}.", level, hints.hints.size()));
  progress.hints = std::max(progress.hints, level);
  homework.save();
  return scenarios::kExitHeld;
}

}  // namespace

scenarios::Command hint_command() {
  const auto options = std::make_shared<HintOptions>();
  return {.name = "hint",
          .summary = "shows the next hint, or why your solution works",
          .footer =
              "Each call gives a larger hint. Hints and checks cost no points.\nExample: "
              "watchlab-course hint E01t",
          .arguments = {exercise_argument(options->id, false),
                        homework_argument(options->homework),
                        {.name = "--level",
                         .target = &options->level,
                         .help = "Shows the hint with this number again",
                         .least = 1,
                         .most = 3}},
          .run = [options] { return guarded([&] { return hint(*options); }); }};
}

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
  StudentConsole console;
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
    console.progress(fmt::format("checking {}", exercise.id));
    // A process of its own, as if the student had typed it.
    std::vector<std::string> words{fs::read_symlink("/proc/self/exe").string(), "check",
                                   exercise.id};
    if (!options.homework.empty()) {
      words.insert(words.end(), {"--homework", options.homework});
    }
    const ProcessEnd end = run_plainly(words, fs::current_path());
    console.line(end.output);
    std::fflush(stdout);  // for a reader at the other end of a pipe
  }
  return scenarios::kExitHeld;
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
                         .help = "Ends after this many checks; default: never"}},
          .run = [options] { return guarded([&] { return watch(*options); }); }};
}

}  // namespace watchlab::course
