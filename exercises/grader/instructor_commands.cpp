#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <memory>
#include <optional>
#include <set>

#include "exercises/grader/bundle.hpp"
#include "exercises/grader/cohort.hpp"
#include "exercises/grader/commands.hpp"
#include "exercises/grader/grade.hpp"
#include "exercises/grader/grading.hpp"
#include "exercises/programs/controllers.hpp"
#include "exercises/programs/texts.hpp"
#include "exercises/sandbox/processes.hpp"
#include "scenarios/command_line/output_file.hpp"

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
  std::string only;
};

/// "3 without points; 2 do not compile, 1 lacks a file, 0 cannot be run for another reason"
std::string split_of(const CohortResult& result) {
  const auto count = [&result](std::string_view begin) {
    return std::ranges::count_if(result.not_gradable, [begin](const std::string& line) {
      const std::size_t colon = line.find(": ");
      return colon != std::string::npos && line.substr(colon + 2).starts_with(begin);
    });
  };
  const auto refused = count(kDoesNotCompile);
  const auto missing = count(kTheFile);
  return fmt::format(
      "of these {} without points; {} not compiling, {} with a file missing, {} not run for "
      "another reason",
      result.without_points, refused, missing, std::ssize(result.not_gradable) - refused - missing);
}

/// What is graded at once: an exercise, or a set of them.
struct GradedWork {
  std::string id;
  std::string title;
  std::vector<Exercise> exercises;
  std::optional<ExerciseSet> set;

  [[nodiscard]] double points_max() const {
    return set ? set->points_max() : static_cast<double>(exercises.front().points);
  }
};

GradedWork work_called(const Toolchain& toolchain, const std::string& name) {
  const std::vector<Exercise> all = read_exercises(toolchain.exercises());
  const std::vector<ExerciseSet> sets = read_exercise_sets(toolchain.exercises(), all);
  const ExerciseSet* const set = find_set(sets, name);
  if (set == nullptr) {
    const Exercise& exercise = find_exercise(all, name);
    return {.id = exercise.id, .title = exercise.title, .exercises = {exercise}, .set = {}};
  }
  GradedWork work{.id = set->id, .title = set->title, .exercises = {}, .set = *set};
  for (const ExerciseSet::Part& part : set->parts) {
    work.exercises.push_back(find_exercise(all, part.id));
  }
  return work;
}

int grade_all(const GradeOptions& options, const Toolchain& toolchain, const GradedWork& work) {
  if (!scenarios::names_a_file(options.out)) {
    throw BadInput("--cohort wants --out, the folder for the results");
  }
  fs::create_directories(options.out);
  Console console({});
  // Once, before several graders would do it at the same time.
  Sandbox sandbox;
  for (const Exercise& exercise : work.exercises) {
    const CommandContext context{toolchain, sandbox, exercise,
                                 [&console](std::string_view words) { console.progress(words); }};
    prepare_course_files(context, instructor_folder(exercise, options.instructor));
  }
  const std::string program = fs::read_symlink("/proc/self/exe").string();
  ResultNames names(options.cohort);
  const auto describe = [&](const fs::path& folder) {
    const std::string name = names.name_for(folder.filename().string());
    const fs::path file = fs::path(options.out) / (name + ".json");
    std::vector<std::string> words{program,
                                   "grade",
                                   work.id,
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
  std::ofstream log(fs::path(options.out) / "progress.txt");
  const CohortResult result = grade_cohort(
      {.submissions = options.cohort,
       .jobs = options.jobs,
       .only = options.only.empty() ? std::set<std::string>() : names_listed_in(options.only)},
      describe, [&](const std::string& words) {
        log << words << "\n" << std::flush;
        console.progress(words);
      });
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  for (const std::string& name : result.skipped) {
    console.report_error(name);
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
  console.line(split_of(result));
  return result.broken.empty() ? scenarios::kExitHeld : scenarios::kExitFound;
}

/// Whether the files of a submission can be asked for. Where they cannot, each would look as if it
/// were missing.
bool may_enter(const fs::path& folder) { return ::access(folder.c_str(), X_OK) == 0; }

/// What a submission gets whose folder the grader may not enter. That is no failure of the grader.
Grade grade_of_closed(const GradedWork& work, std::uint64_t seed) {
  const std::string why =
      "its folder cannot be entered: the grader's user lacks the right to execute it";
  return {.exercise = work.id,
          .title = work.title,
          .status = Grade::Status::NotGradable,
          .seed = seed,
          .points_max = work.points_max(),
          .summary = why,
          .cases = {{.id = "compile", .kind = "compile", .outcome = "fail", .message = why}}};
}

/// Refuses what would be written where something is handed in.
void require_no_hand_in(const GradeOptions& options) {
  const std::string& inputs = options.cohort.empty() ? options.submission : options.cohort;
  for (const std::string& output : {options.out, options.cache}) {
    if (!output.empty()) {
      require_apart(output, inputs);
    }
  }
}

/// What an interrupted command leaves says so. Nobody is there to be told what cannot be written.
void mark_results_as_ended(const GradeOptions& options) {
  std::error_code failure;
  std::vector<fs::path> files{options.out};
  if (!options.cohort.empty()) {
    files.assign(fs::directory_iterator(options.out, failure), {});
  }
  for (const fs::path& file : files) {
    try {
      mark_as_ended(file);
    } catch (const std::exception&) {  // as it was
    }
  }
}

/// Grades the files of one exercise that lie in `submission`.
Grade grade_of(const GradeOptions& options, const CommandContext& context,
               const fs::path& submission, const Grading::Listener& listener) {
  const std::uint64_t seed = options.seed;
  return Grading(context, listener)
      .grade({.submission = fs::absolute(submission),
              .instructor = instructor_folder(context.exercise, options.instructor),
              .cache = options.cache,
              .seeds = {seed, seed + 1, seed + 2}});
}

/// One exercise after the other; of a set, all of them.
Grade grade_of_all(const GradeOptions& options, const Toolchain& toolchain, const GradedWork& work,
                   const Grading::Listener& listener) {
  Sandbox sandbox;
  Console console({});
  std::vector<Grade> grades;
  for (const Exercise& exercise : work.exercises) {
    const CommandContext context{toolchain, sandbox, exercise,
                                 [&console](std::string_view words) { console.progress(words); }};
    if (!work.set) {
      return grade_of(options, context, options.submission, listener);
    }
    const auto so_far = [&](const Grade& partial) {
      std::vector<Grade> known = grades;
      known.push_back(partial);
      listener(grade_of_set(*work.set, known));
    };
    const fs::path submission = part_of_submission(options.submission, exercise);
    grades.push_back(grade_of(options, context, submission, so_far));
  }
  return grade_of_set(*work.set, grades);
}

int grade(const GradeOptions& options) {
  const Toolchain toolchain = own_toolchain();
  const GradedWork work = work_called(toolchain, options.id);
  const GradeFormat& format = find_format(options.format);
  if (!options.cohort.empty()) {
    require_no_hand_in(options);
    return grade_all(options, toolchain, work);
  }
  if (options.submission.empty()) {
    throw BadInput("grade takes --submission FOLDER or --cohort FOLDER");
  }
  if (!fs::is_directory(options.submission)) {
    throw BadInput(fmt::format("{} is no folder", options.submission));
  }
  require_no_hand_in(options);
  const bool has_file = scenarios::names_a_file(options.out);
  const GradeFile file(has_file ? options.out : "", format);
  const Grading::Listener listener = [&file](const Grade& so_far) { file.write(so_far); };
  const bool may_look = may_enter(options.submission);
  const Grade grade = may_look ? grade_of_all(options, toolchain, work, listener)
                               : grade_of_closed(work, options.seed);
  if (!may_look || work.set) {
    file.write(grade);
  }
  if (!has_file) {
    fmt::print("{}", format.text(grade));
  } else if (grade.status == Grade::Status::NotGradable) {
    fmt::print("{}{}\n", kNotGradableMark, beginning_of(plain_text(grade.summary), 2000));
  } else {
    fmt::print("{}: {:.2f} of {:.2f} points\n", visible_line(options.submission), grade.points(),
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
          .summary = "grades a submission, including the hidden parts",
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
                        {.name = "--only",
                         .target = &options->only,
                         .help = "Of --cohort: the submissions in that list, a line each; other "
                                 "results stay",
                         .type_name = "FILE"},
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
              oversee({}, [options] { mark_results_as_ended(*options); });
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
  BundleContents contents;
  for (const std::string& name : options.names) {
    const GradedWork work = work_called(toolchain, name);
    for (const Exercise& exercise : work.exercises) {
      if (std::ranges::find(contents.exercises, exercise.id, &Exercise::id) ==
          contents.exercises.end()) {
        contents.exercises.push_back(exercise);
      }
    }
    if (work.set) {
      contents.sets.push_back(*work.set);
    }
  }
  if (options.names.empty()) {
    contents = {.exercises = all, .sets = read_exercise_sets(toolchain.exercises(), all)};
  }
  Console console({});
  Sandbox sandbox;
  std::erase_if(contents.exercises, [&](const Exercise& exercise) {
    const CommandContext context{toolchain, sandbox, exercise,
                                 [&console](std::string_view words) { console.progress(words); }};
    const std::string missing = missing_here(context);
    if (!missing.empty()) {
      console.line(missing);
    }
    return !missing.empty();
  });
  write_bundle(toolchain, contents, std::filesystem::absolute(options.out),
               [&console](std::string_view words) { console.progress(words); });
  console.line(
      fmt::format("{} holds {} exercises for students", options.out, contents.exercises.size()));
  return scenarios::kExitHeld;
}

}  // namespace

scenarios::Command bundle_command() {
  const auto options = std::make_shared<BundleOptions>();
  return {.name = "bundle",
          .summary = "writes the handout for students, without solutions and hidden parts",
          .footer =
              "Examples:\n  watchlab-course bundle --out handout E01t E04\n"
              "  watchlab-course bundle --out handout trio",
          .arguments = {{.name = "ID",
                         .target = &options->names,
                         .help = "The exercises, or a homework of several; all if left out",
                         .type_name = " "},
                        {.name = "--out",
                         .target = &options->out,
                         .help = "The folder to write, empty or new",
                         .required = true,
                         .type_name = "DIR"}},
          .run = [options] {
            return guarded([&] {
              oversee(unfinished_bundle(fs::absolute(options->out)));
              return bundle(*options);
            });
          }};
}

}  // namespace watchlab::course
