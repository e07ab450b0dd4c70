#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <memory>

#include "exercises/grader/bundle.hpp"
#include "exercises/grader/cohort.hpp"
#include "exercises/grader/commands.hpp"
#include "exercises/grader/grading.hpp"
#include "exercises/grader/statistics.hpp"
#include "exercises/programs/texts.hpp"
#include "exercises/sandbox/processes.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;

struct GradeOptions {
  std::string id;
  std::string submission;
  std::string format = "json";
  std::string out;
  std::string instructor;
  std::string cache;
  std::size_t seed = 1;
  std::string cohort;
  std::size_t jobs = 1;
};

int grade_all(const GradeOptions& options, const Toolchain& toolchain, const Exercise& exercise) {
  if (options.out.empty()) {
    throw BadInput("--cohort wants --out, the folder for the results");
  }
  fs::create_directories(options.out);
  Console console({});
  // Once, before several graders would do it at the same time.
  Sandbox sandbox;
  const CommandContext place{toolchain, sandbox, exercise,
                             [&console](std::string_view words) { console.progress(words); }};
  const fs::path instructor = instructor_folder(exercise, options.instructor);
  prepare_course_files(place, instructor);
  const std::string program = fs::read_symlink("/proc/self/exe").string();
  ResultNames names(options.cohort);
  const auto describe = [&](const fs::path& folder) {
    const std::string name = names.name_for(folder.filename().string());
    const fs::path file = fs::path(options.out) / (name + ".json");
    std::vector<std::string> words{program,
                                   "grade",
                                   exercise.id,
                                   "--submission",
                                   folder.string(),
                                   "--format",
                                   options.format,
                                   "--out",
                                   file.string(),
                                   "--seed",
                                   std::to_string(options.seed)};
    for (const auto& [flag, value] :
         {std::pair{"--instructor", options.instructor}, std::pair{"--cache", options.cache}}) {
      if (!value.empty()) {
        words.insert(words.end(), {flag, value});
      }
    }
    return words;
  };
  const auto start = std::chrono::steady_clock::now();
  const CohortResult result =
      grade_cohort(options.cohort, options.jobs, describe,
                   [&](const std::string& name) { console.progress(name); });
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  for (const std::string& name : result.skipped) {
    console.report_error(name + ": skipped, it is no folder of a submission");
  }
  for (const std::string& note : names.notes()) {
    console.line(note);
  }
  for (const std::string& one : result.not_gradable) {
    console.line(one);
  }
  for (const std::string& broken : result.broken) {
    console.report_error(broken);
  }
  console.line(fmt::format("{} graded, {} not gradable, {} failed, in {:.1f} s", result.graded,
                           result.not_gradable.size(), result.broken.size(), took.count()));
  return result.broken.empty() ? scenarios::kExitHeld : scenarios::kExitFound;
}

/// Whether the files of a submission can be asked for. Where they cannot, each would look as if it
/// were missing.
bool may_enter(const fs::path& folder) { return ::access(folder.c_str(), X_OK) == 0; }

/// What a submission gets whose folder the grader may not enter. That is no failure of the grader.
Grade grade_of_closed(const Exercise& exercise, std::uint64_t seed) {
  const std::string why =
      "its folder cannot be entered: the grader's user lacks the right to execute it";
  return {.exercise = exercise.id,
          .title = exercise.title,
          .status = Grade::Status::NotGradable,
          .seed = seed,
          .points_max = static_cast<double>(exercise.points),
          .summary = why,
          .cases = {{.id = "compile", .kind = "compile", .outcome = "fail", .message = why}}};
}

Grade grade_of(const GradeOptions& options, const Toolchain& toolchain, const Exercise& exercise,
               const GradeFile& file) {
  const std::uint64_t seed = options.seed;
  if (!may_enter(options.submission)) {
    const Grade closed = grade_of_closed(exercise, seed);
    file.write(closed);
    return closed;
  }
  Sandbox sandbox;
  Console console({.quiet = true});
  const CommandContext place{toolchain, sandbox, exercise,
                             [&console](std::string_view words) { console.progress(words); }};
  Grading grading(place, [&file](const Grade& so_far) { file.write(so_far); });
  return grading.grade({.submission = fs::absolute(options.submission),
                        .instructor = instructor_folder(exercise, options.instructor),
                        .cache = options.cache,
                        .seeds = {seed, seed + 1, seed + 2}});
}

int grade(const GradeOptions& options) {
  const Toolchain toolchain = own_toolchain();
  const Exercise exercise = find_exercise(read_exercises(toolchain.exercises()), options.id);
  const GradeFormat& format = find_format(options.format);
  if (!options.cohort.empty()) {
    return grade_all(options, toolchain, exercise);
  }
  if (!fs::is_directory(options.submission)) {
    throw BadInput(fmt::format("{} is no folder", options.submission));
  }
  const Grade grade = grade_of(options, toolchain, exercise, GradeFile(options.out, format));
  if (options.out.empty()) {
    fmt::print("{}", format.text(grade));
  } else if (grade.status == Grade::Status::NotGradable) {
    fmt::print("{}{}\n", kNotGradableMark, beginning_of(plain_text(grade.summary), 2000));
  } else {
    fmt::print("{}: {:.2f} of {:.2f} points\n", options.submission, grade.points(),
               grade.points_max);
  }
  return scenarios::kExitHeld;
}

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const GradeFormat& format : grade_formats()) {
    names.emplace_back(format.name);
  }
  return names;
}

}  // namespace

scenarios::Command grade_command() {
  const auto options = std::make_shared<GradeOptions>();
  return {.name = "grade",
          .summary = "grades a submission, with all that students do not see",
          .footer =
              "The result is written from the first second on, and again whenever more is known.\n"
              "A signal (Ctrl-C) ends all that was started and leaves no folder.\n"
              "Exit status: 0 it was graded, however well; 2 it could not be.\n"
              "Example: watchlab-course grade E01t --submission handin --format gradescope -o "
              "results.json",
          .arguments = {exercise_argument(options->id, true),
                        {.name = "--submission",
                         .target = &options->submission,
                         .help = "The folder with the student's files",
                         .type_name = "DIR"},
                        {.name = "--format",
                         .target = &options->format,
                         .help = "How to write the result",
                         .one_of = format_names()},
                        {.name = "--out,-o",
                         .target = &options->out,
                         .help = "Where to write it; standard output if left out",
                         .type_name = "FILE"},
                        {.name = "--instructor",
                         .target = &options->instructor,
                         .help = "A folder whose NN-slug folders take the place of instructor/",
                         .type_name = "DIR"},
                        {.name = "--cache",
                         .target = &options->cache,
                         .help = "Keeps compiled programs there, for grading again",
                         .type_name = "DIR"},
                        {.name = "--cohort",
                         .target = &options->cohort,
                         .help = "A folder of submissions instead; --out is a folder then",
                         .type_name = "DIR"},
                        {.name = "--jobs,-j",
                         .target = &options->jobs,
                         .help = "So many submissions at a time",
                         .least = 1,
                         .most = 256},
                        {.name = "--seed",
                         .target = &options->seed,
                         .help = "The first of three seeds"}},
          .run = [options] {
            return guarded([&] {
              oversee();
              return grade(*options);
            });
          }};
}

namespace {

struct BundleOptions {
  std::string out;
  std::vector<std::string> names;
};

int bundle(const BundleOptions& options) {
  const Toolchain toolchain = own_toolchain();
  const std::vector<Exercise> all = read_exercises(toolchain.exercises());
  std::vector<Exercise> chosen;
  for (const std::string& name : options.names) {
    chosen.push_back(find_exercise(all, name));
  }
  Console console({});
  write_bundle(toolchain, chosen.empty() ? all : chosen, std::filesystem::absolute(options.out),
               [&console](std::string_view words) { console.progress(words); });
  console.line(fmt::format("{} holds {} exercises for students", options.out,
                           chosen.empty() ? all.size() : chosen.size()));
  return scenarios::kExitHeld;
}

}  // namespace

scenarios::Command bundle_command() {
  const auto options = std::make_shared<BundleOptions>();
  return {.name = "bundle",
          .summary = "writes what students get, without solutions and hidden parts",
          .footer = "Example: watchlab-course bundle --out handout E01t E04",
          .arguments = {{.name = "ID",
                         .target = &options->names,
                         .help = "The exercises; all if left out",
                         .type_name = " "},
                        {.name = "--out",
                         .target = &options->out,
                         .help = "The folder to write, empty or new",
                         .required = true,
                         .type_name = "DIR"}},
          .run = [options] { return guarded([&] { return bundle(*options); }); }};
}

namespace {

struct StatisticsOptions {
  std::string folder;
  std::string html;
};

int show(const StatisticsOptions& options) {
  const CohortStatistics statistics = statistics_of(options.folder);
  fmt::print("{}", to_csv(statistics));
  fmt::print(stderr, "{}\n", summary_of(statistics));
  if (!options.html.empty()) {
    write_output(options.html, to_html(statistics));
  }
  return scenarios::kExitHeld;
}

}  // namespace

scenarios::Command statistics_command() {
  const auto options = std::make_shared<StatisticsOptions>();
  return {.name = "statistics",
          .summary = "which defects and tests a cohort got, and which distinguish strong from weak",
          .footer =
              "Reads what grade --cohort has written in the format json. CSV on standard output.\n"
              "Example: watchlab-course statistics RESULTS --html cohort.html",
          .arguments = {{.name = "DIR",
                         .target = &options->folder,
                         .help = "The folder with the grades",
                         .required = true,
                         .type_name = " "},
                        {.name = "--html",
                         .target = &options->html,
                         .help = "Writes a page, too",
                         .type_name = "FILE"}},
          .run = [options] { return guarded([&] { return show(*options); }); }};
}

}  // namespace watchlab::course
