#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "exercises/grader/commands.hpp"
#include "exercises/grader/diagnosis.hpp"
#include "exercises/grader/grading.hpp"
#include "exercises/grader/predictions.hpp"
#include "exercises/grader/questions.hpp"
#include "exercises/programs/builder.hpp"
#include "exercises/programs/controllers.hpp"
#include "exercises/programs/texts.hpp"
#include "exercises/sandbox/processes.hpp"

namespace watchlab::course {
namespace {

struct CheckOptions {
  std::string id;
  std::string homework;
  std::string schedule;
  std::string test_case;
};

/// Counts an attempt when the files have changed since the last.
void note_attempt(Progress& progress, const Grade& grade, const std::string& state) {
  if (progress.checked != state) {
    progress.checked = state;
    ++progress.attempts;
    for (const GradeCase& entry : grade.cases) {
      progress.survivals[entry.variant] += entry.outcome == "survived" ? 1 : 0;
    }
    std::erase_if(progress.survivals, [](const auto& entry) { return entry.second == 0; });
  }
  std::size_t caught = 0;
  std::size_t shown = 0;
  for (const GradeCase& entry : grade.cases) {
    const bool is_shown = entry.kind == "defect" || entry.kind == "visible";
    shown += is_shown ? 1 : 0;
    caught += is_shown && is_good(entry) ? 1 : 0;
  }
  progress.caught = std::max(progress.caught, caught);
  progress.shown = std::max(progress.shown, shown);  // of what does not compile none are known
  progress.best = std::max(progress.best, grade.points());
  progress.done = progress.done || is_complete(grade);
  progress.holds = is_complete(grade);
}

/// What is said of one test, and whether it passes.
int show_one_case(StudentConsole& console, const Exercise& exercise, const Grade& grade) {
  show_case(console, exercise, grade);
  const bool holds =
      grade.status == Grade::Status::Finished &&
      std::ranges::all_of(grade.cases, [](const GradeCase& entry) { return is_good(entry); });
  return holds ? scenarios::kExitHeld : scenarios::kExitFound;
}

/// What a student types for `watchlab`, beside the course: "./watchlab" of "./watchlab course" and
/// of "./watchlab-course".
std::string call_of_player() {
  const std::string call = own_call();
  constexpr std::size_t kEnding = std::string_view(" course").size();
  return call.ends_with(" course") || call.ends_with("-course")
             ? call.substr(0, call.size() - kEnding)
             : call;
}

/// A tour is done when its stories hold.
int check_tour(const Toolchain& toolchain, Homework& homework, const Exercise& exercise) {
  ::setenv("WATCHLAB_CALLED_AS", call_of_player().c_str(), 1);  // for the lines that it prints
  const ProcessEnd end =
      run_plainly({toolchain.player().string(), "run", (exercise.folder / "scenarios").string()},
                  std::filesystem::current_path());
  Progress& progress = homework.of(exercise.id);
  progress.done = progress.done || end.status == 0;
  progress.holds = end.status == 0;
  homework.save();
  StudentConsole console;
  console.line(end.output);
  if (end.status == 0) {
    console.line(read_hints(exercise).after);
  }
  return end.status == 0 ? scenarios::kExitHeld : scenarios::kExitFound;
}

/// Says how far the record is, and what it is worth once it was revealed. It never shows which
/// answers are right before that.
int check_predictions(const Toolchain& toolchain, Homework& homework, const Exercise& exercise) {
  const std::filesystem::path file = homework.folder_of(exercise) / "answers.yaml";
  if (!std::filesystem::exists(file)) {
    throw BadInput(
        fmt::format("{} is not started: watchlab-course start {}", exercise.id, exercise.id));
  }
  StudentConsole console;
  const Predictions record(exercise, file);
  const std::string broken = record.broken();
  if (!broken.empty() || !record.is_settled()) {
    console.line(
        !broken.empty()
            ? broken
            : fmt::format("{} of {} answers are locked; watchlab-course predict {} continues.",
                          record.counted().size(), read_questions(exercise).size(), exercise.id));
    return scenarios::kExitFound;
  }
  const Grade grade = grade_of_predictions(toolchain, exercise, file.parent_path());
  show_verdict(console, exercise, grade, homework.of(exercise.id));
  homework.save();
  return is_complete(grade) ? scenarios::kExitHeld : scenarios::kExitFound;
}

std::vector<std::string> names_of_builds(const Exercise& exercise) {
  std::vector<std::string> names;
  for (const DiagnosedCase& diagnosed : read_cases(exercise)) {
    names.push_back(diagnosed.id);
  }
  return names;
}

/// Where the controllers lie that a student's stories can be played with by hand.
void show_controllers(StudentConsole& console, const CommandContext& context) {
  std::vector<Variant> controllers = read_variants(context.exercise, "");
  build_controllers(context, controllers);
  std::vector<std::string> names;
  for (const Variant& controller : controllers) {
    names.push_back(controller.built.filename().string());
  }
  console.line(fmt::format("The controllers: {}/{{{}}}",
                           controllers.front().built.parent_path().string(),
                           fmt::join(names, ",")));
}

using SteadyClock = std::chrono::steady_clock;

std::int64_t milliseconds_passed_since(SteadyClock::time_point start) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(SteadyClock::now() - start).count();
}

/// Compiles headers when the student has the verdict already: the next one comes sooner. Says how
/// long it took, which is not in the time of the verdict.
void prepare_next_check(StudentConsole& console, const CommandContext& context) {
  std::fflush(stdout);
  const bool is_cpp = !is_in_go(context.exercise);
  if (is_cpp && (context.exercise.task == Task::Implement || is_suite(context.exercise.task))) {
    const SteadyClock::time_point start = SteadyClock::now();
    bool compiles = false;
    precompile_headers(context.toolchain, product_of(context.exercise.task),
                       [&](std::string_view words) {
                         compiles = true;
                         context.notify(words);
                       });
    context.notify("");
    if (compiles) {
      console.line(fmt::format("Headers were compiled for the next checks, once, in {:.1f} s.",
                               static_cast<double>(milliseconds_passed_since(start)) / 1000));
    }
  }
}

int check(const CheckOptions& options) {
  const SteadyClock::time_point start = SteadyClock::now();
  const Toolchain toolchain = own_toolchain();
  Homework homework = homework_at(options.homework);
  const Exercise exercise = chosen_exercise(toolchain, homework, options.id);
  const bool is_program = exercise.task == Task::Implement || is_suite(exercise.task);
  if (!is_program && !(options.test_case + options.schedule).empty()) {
    throw BadInput(fmt::format("{} has no tests to choose from; leave out --case and --schedule",
                               exercise.id));
  }
  if (options.test_case.empty() && !options.schedule.empty()) {
    throw BadInput("--schedule wants --case NAME: a schedule belongs to one test");
  }
  if (exercise.task == Task::Tour) {
    return check_tour(toolchain, homework, exercise);
  }
  if (exercise.task == Task::Predict) {
    return check_predictions(toolchain, homework, exercise);
  }
  const std::filesystem::path folder = homework.folder_of(exercise);
  if (!std::filesystem::is_directory(folder)) {
    throw BadInput(
        fmt::format("{} is not started: watchlab-course start {}", exercise.id, exercise.id));
  }
  StudentConsole console;
  console.progress(fmt::format("checking {}…", exercise.id));
  Sandbox sandbox;
  const CommandContext context{toolchain, sandbox, exercise,
                               [&console](std::string_view words) { console.progress(words); }};
  Grading grading(context, [](const Grade&) {});
  Grade grade = grading.grade({.submission = folder,
                               .cache = homework.cache(),
                               .precompiles = false,
                               .schedule = options.schedule,
                               .test_case = options.test_case});
  grade.wall_ms = milliseconds_passed_since(start);
  if (!options.test_case.empty()) {
    return show_one_case(console, exercise, grade);
  }
  Progress& progress = homework.of(exercise.id);
  note_attempt(progress, grade, homework.fingerprint_of(exercise));
  homework.save();
  show_verdict(console, exercise, grade, progress);
  if (is_about_controllers(exercise)) {
    show_controllers(console, context);
  }
  if (has_cases(exercise)) {
    console.line(fmt::format("The broken builds: {}/{{{}}}", builds_folder(context).string(),
                             fmt::join(names_of_builds(exercise), ",")));
  }
  if (progress.holds) {
    console.line(read_hints(exercise).after);
  } else {
    console.line(fmt::format("Stuck? watchlab-course hint {}", exercise.id));
  }
  const bool was_run = grade.cases.empty() || grade.cases.front().outcome != "not_run";
  if (was_run) {
    prepare_next_check(console, context);
  }
  return is_complete(grade) ? scenarios::kExitHeld : scenarios::kExitFound;
}

}  // namespace

scenarios::Command check_command() {
  const auto options = std::make_shared<CheckOptions>();
  return {.name = "check",
          .summary = "checks your files as the grader will",
          .footer =
              "Tests of a library have 300 s of CPU time for all broken and correct libraries, "
              "and 900 s in all; a grade runs more libraries and gives more time in "
              "proportion.\n"
              "Checks cost no points.\n"
              "Example: watchlab-course check E01t",
          .arguments = {exercise_argument(options->id, false),
                        homework_argument(options->homework),
                        {.name = "--case",
                         .target = &options->test_case,
                         .help = "Runs only this test",
                         .type_name = "NAME"},
                        {.name = "--schedule",
                         .target = &options->schedule,
                         .help = "Plays only this schedule, as printed by a failure",
                         .type_name = "STRING"}},
          .run = [options] {
            return guarded([&] {
              oversee({}, [] {
                StudentConsole().line(
                    "The check ended before its verdict. No attempt was counted, and your files "
                    "are as they were.");
              });
              try {
                return check(*options);
              } catch (const NotHere& missing) {
                StudentConsole().line(missing.what());
                return scenarios::kExitHeld;
              }
            });
          }};
}

}  // namespace watchlab::course
