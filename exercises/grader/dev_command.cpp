#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <functional>
#include <future>
#include <memory>
#include <numeric>
#include <thread>
#include <utility>

#include "exercises/grader/commands.hpp"
#include "exercises/grader/dev_check.hpp"
#include "exercises/grader/grading.hpp"
#include "exercises/programs/builder.hpp"
#include "exercises/programs/controllers.hpp"
#include "exercises/programs/scaffold.hpp"
#include "exercises/programs/texts.hpp"
#include "exercises/sandbox/processes.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;

struct DevOptions {
  std::string action;
  std::vector<std::string> names;
  std::string instructor;
  std::size_t seeds = 100;
  std::size_t jobs = 1;
  bool write = false;
  std::string task = "tests";
};

std::vector<Exercise> chosen_of(const Toolchain& toolchain, const DevOptions& options) {
  const std::vector<Exercise> all = read_exercises(toolchain.exercises());
  std::vector<Exercise> chosen;
  for (const std::string& name : options.names) {
    chosen.push_back(find_exercise(all, name));
  }
  return chosen.empty() ? all : chosen;
}

int check_here(const DevOptions& options, const Toolchain& toolchain,
               const std::vector<Exercise>& exercises) {
  Console console({});
  Sandbox sandbox;
  bool fine = true;
  for (const Exercise& exercise : exercises) {
    const CommandContext context{toolchain, sandbox, exercise,
                                 [&console](std::string_view words) { console.progress(words); }};
    DevCheck found;
    try {
      found =
          check_exercise(context, {.instructor = instructor_folder(exercise, options.instructor),
                                   .seeds = options.seeds,
                                   .write = options.write});
    } catch (const NotHere& missing) {
      console.line(missing.what());
      continue;
    }
    const bool holds = found.errors.empty();
    console.line((holds ? Console::good("✓") : Console::bad("✗")) +
                 fmt::format(" {}: {} ({})", exercise.id, exercise.title, found.times));
    if (!found.ranks.empty()) {
      console.line("  " + found.ranks);
    }
    for (const std::string& error : found.errors) {
      console.line("  " + error);
    }
    fine = fine && holds;
  }
  return fine ? scenarios::kExitHeld : scenarios::kExitFound;
}

/// The same call for one exercise.
std::vector<std::string> describe(const DevOptions& options, const Exercise& exercise) {
  std::vector<std::string> words{fs::read_symlink("/proc/self/exe").string(),
                                 "dev",
                                 "check",
                                 exercise.id,
                                 "--seeds",
                                 std::to_string(options.seeds)};
  if (!options.instructor.empty()) {
    words.insert(words.end(), {"--instructor", options.instructor});
  }
  if (options.write) {
    words.emplace_back("--write");
  }
  return words;
}

/// Their numbers, those that take long first: what is begun last should not be waited for.
std::vector<std::size_t> long_ones_first(const std::vector<Exercise>& exercises) {
  const auto weight = [&](std::size_t number) {
    const Task task = exercises[number].task;
    return task == Task::ModelCheck ? 3 : task == Task::Implement ? 2 : task == Task::Tests ? 1 : 0;
  };
  std::vector<std::size_t> order(exercises.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater(), weight);
  return order;
}

/// A process for each exercise, `options.jobs` at a time; what they say comes in order.
int check_side_by_side(const DevOptions& options, const Toolchain& toolchain,
                       const std::vector<Exercise>& exercises) {
  for (const Product product : {Product::Library, Product::Tests}) {
    precompile_headers(toolchain, product, [](std::string_view) {});  // once for all processes
  }
  const std::vector<std::size_t> order = long_ones_first(exercises);
  std::vector<std::promise<ProcessEnd>> ends(exercises.size());
  const fs::path here = fs::current_path();
  std::atomic<std::size_t> next = 0;
  std::vector<std::jthread> workers;
  for (std::size_t i = 0; i < options.jobs; ++i) {
    workers.emplace_back([&] {
      for (std::size_t taken = next++; taken < order.size(); taken = next++) {
        const std::size_t number = order[taken];
        ends[number].set_value(run_plainly(describe(options, exercises[number]), here));
      }
    });
  }
  Console console({});
  std::size_t held = 0;
  std::size_t skipped = 0;
  for (std::promise<ProcessEnd>& end : ends) {
    const ProcessEnd ended = end.get_future().get();
    fmt::print("{}", ended.output);
    std::fflush(stdout);
    const bool was_skipped = ended.output.find(kSkipped) != std::string::npos;
    skipped += was_skipped ? 1 : 0;
    held += !was_skipped && ended.status == scenarios::kExitHeld ? 1 : 0;
  }
  const std::size_t failed = exercises.size() - held - skipped;
  console.line(fmt::format("{} passed, {} failed{}", held, failed,
                           skipped > 0 ? fmt::format(", {} skipped", skipped) : ""));
  return failed == 0 ? scenarios::kExitHeld : scenarios::kExitFound;
}

int check(const DevOptions& options) {
  const Toolchain toolchain = own_toolchain();
  const std::vector<Exercise> exercises = chosen_of(toolchain, options);
  return options.jobs > 1 && exercises.size() > 1
             ? check_side_by_side(options, toolchain, exercises)
             : check_here(options, toolchain, exercises);
}

int make_new(const DevOptions& options) {
  if (options.names.size() != 1) {
    throw BadInput("dev new wants the name of a folder: 40-my-exercise");
  }
  const std::string& slug = options.names.front();
  const fs::path exercises = own_toolchain().exercises();
  const std::string id = id_for_new(read_exercises(exercises), slug);
  const fs::path folder = exercises / slug;
  if (fs::exists(folder)) {
    throw BadInput(fmt::format("{} is there already", folder.string()));
  }
  try {
    for (const auto& [name, text] : scaffold_of(task_called(options.task), id, slug)) {
      fs::create_directories((folder / name).parent_path());
      write_output(folder / name, text);
    }
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(folder, ignored);  // a part of an exercise would be in the way of another try
    throw;
  }
  fmt::print("{}\n{}", folder.string(),
             typeable(fmt::format(
                 "Write what docs/exercises.md describes, wherever it says TO WRITE; then: "
                 "watchlab-course dev check {}\n",
                 id)));
  return scenarios::kExitHeld;
}

std::vector<scenarios::Argument> arguments_of(DevOptions& options) {
  return {
      {.name = "ACTION",
       .target = &options.action,
       .help = "What to do",
       .required = true,
       .one_of = {"check", "new"}},
      {.name = "ID",
       .target = &options.names,
       .help = "check: the exercises, all if left out; new: the folder, 40-my-exercise",
       .type_name = " "},
      {.name = "--task",
       .target = &options.task,
       .help = "Of a new exercise: what a student does",
       .one_of = names_of_tasks()},
      {.name = "--instructor",
       .target = &options.instructor,
       .help = "A folder whose NN-slug folders take the place of instructor/",
       .type_name = "DIR"},
      {.name = "--seeds",
       .target = &options.seeds,
       .help = "Under so many seeds nothing may change; 100 if left out",
       .least = 3,
       .most = 10'000},
      {.name = "--jobs,-j",
       .target = &options.jobs,
       .help = "So many exercises at a time",
       .least = 1,
       .most = 256},
      {.name = "--write", .target = &options.write, .help = "Writes instructor/kill_matrix.csv"}};
}

}  // namespace

scenarios::Command dev_command() {
  const auto options = std::make_shared<DevOptions>();
  return {
      .name = "dev",
      .summary = "for authors: makes an exercise, or checks existing ones",
      .footer =
          "check   refuses unless the solution gets all points and the starter 15 less, the "
          "solution "
          "notices every defect and distinguishes them, weaker suites rank below it, "
          "nothing changes under many seeds, the museum's bugs of its component are "
          "noticed as instructor/museum.yaml says, and the bundle shows nothing that is "
          "hidden\n"
          "new     writes the files of a new exercise\n"
          "Examples:\n  watchlab-course dev check E01t\n  watchlab-course dev check --jobs 2\n  "
          "watchlab-course dev new 40-leases\n  watchlab-course dev new 41-lost-events --task "
          "predict",
      .arguments = arguments_of(*options),
      .run = [options] {
        return guarded([&] {
          oversee();
          return options->action == "check" ? check(*options) : make_new(*options);
        });
      }};
}

void add_commands_of_instructors(std::vector<scenarios::Command>& commands) {
  for (scenarios::Command& command :
       std::array{grade_command(), gradebook_command(), statistics_command(), bundle_command(),
                  dev_command()}) {
    commands.push_back(std::move(command));
  }
}

}  // namespace watchlab::course
