#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "exercises/grader/go_tests.hpp"
#include "exercises/grader/grade_tests.hpp"
#include "exercises/grader/grading.hpp"
#include "exercises/grader/judge_suite.hpp"
#include "exercises/grader/misconceptions.hpp"
#include "exercises/grader/questions.hpp"
#include "exercises/grader/written_stories.hpp"
#include "exercises/programs/builder.hpp"
#include "exercises/programs/controllers.hpp"
#include "exercises/programs/stage.hpp"
#include "exercises/programs/trusted_program.hpp"
#include "exercises/programs/variant.hpp"

// What of grading takes a compiler: suites of tests, libraries, and stories of controllers.
namespace watchlab::course {
namespace {

namespace fs = std::filesystem;

/// Answers to questions.yaml beside a suite, and what they are worth of the whole.
constexpr const char* kAnswersFile = "answers.yaml";
constexpr double kShareOfQuestions = 0.1;

/// Under so many random schedules a story must hold with a right controller.
constexpr std::size_t kSchedulesOfStories = 5;

void require_correct(const Exercise& exercise, const std::vector<Variant>& variants) {
  if (variants.empty() || variants.front().pool != Pool::Correct) {
    throw BadInput(fmt::format("{} has no correct variant", exercise.folder.string()));
  }
}

/// The same for the same files and the same seed of the grade. A student without the hidden defects
/// cannot foresee it, not even with the seeds of other submissions.
std::uint64_t suite_seed_for(std::uint64_t seed, const std::vector<fs::path>& files,
                             const std::vector<Variant>& variants) {
  std::vector<fs::path> all;
  for (const Variant& variant : variants) {
    if (!variant.source.empty()) {  // a bundle has none
      all.push_back(variant.source);
    }
  }
  all.insert(all.end(), files.begin(), files.end());
  return one_way_digest_of(fmt::format("{} {}", seed, text_of(all)));
}

/// At home more defects count than those that are shown.
std::string words_at_home(const Exercise& exercise, const SuiteRuns& suite) {
  return fmt::format("{} of {} shown defects caught; grading uses {}.",
                     std::ranges::count_if(suite.defects, &SuiteRuns::Defect::caught),
                     suite.defects.size(), suite.defects.size() + defects_not_shown(exercise));
}

/// What of a request is about the runs of tests.
SuiteOptions options_of(const GradingRequest& request) {
  SuiteOptions options{
      .seeds = request.seeds, .rounds = request.rounds, .schedule = request.schedule};
  if (!request.test_case.empty()) {
    options.cases.push_back(request.test_case);
  }
  return options;
}

std::vector<std::string> sources_of(const std::vector<fs::path>& files) {
  std::vector<std::string> sources;
  for (const fs::path& file : files) {
    if (file.extension() == ".cpp") {
      sources.push_back(file.filename().string());
    }
  }
  return sources;
}

}  // namespace

void prepare_course_files(const CommandContext& context, const fs::path& instructor) {
  std::vector<Variant> variants =
      read_variants(context.exercise, hidden_folder(context.exercise, instructor));
  if (is_about_controllers(context.exercise)) {
    build_controllers(context, variants);
    return;
  }
  if (is_in_go(context.exercise)) {
    static_cast<void>(GoTests(context, variants));
    return;
  }
  VariantBuilder(context.toolchain, context.exercise, context.notify).build(variants);
  if (context.exercise.task == Task::Implement) {
    const auto build = [&context](const char* name, const fs::path& folder) {
      static_cast<void>(trusted_program(context, name, cpp_files_of(folder)));
    };
    build("visible", context.exercise.folder / "tests");
    build("hidden", instructor / "tests");
  } else if (is_suite(context.exercise.task)) {
    static_cast<void>(stand_in_of_library(context));
    static_cast<void>(server_of_library(context));
  }
}

bool Grading::compiles(const GradingRequest& request, const Stage& stage,
                       const std::vector<fs::path>& files) {
  const bool is_library = context_.exercise.task == Task::Implement;
  const ProgramCache cache(request.cache, context_.toolchain);
  return is_built(
      request, cache.get(stage, is_library ? kSubjectLibrary : kSuiteLibrary, files, [&] {
        if (request.precompiles) {
          precompile_headers(context_.toolchain, product_of(context_.exercise.task),
                             context_.notify);
        }
        context_.notify("compiling");
        Builder builder(context_.toolchain, context_.sandbox, request.compile_max);
        return is_library ? builder.subject_of(context_.exercise, stage, sources_of(files))
                          : builder.suite_of(context_.exercise, stage, sources_of(files));
      }));
}

bool Grading::is_built(const GradingRequest& request, const Built& built) {
  if (built.lacked_time) {
    refuse(fmt::format("It is not graded, and nothing is lost: it was not built within {} s of the "
                       "processor and {} s on the clock. If this machine has too much to do, grade "
                       "it again when it has less.",
                       request.compile_max.count(),
                       (request.compile_max * kCompileClockTimes).count()),
           "not_run");
  } else if (const std::string missing = built.fine || is_in_go(context_.exercise)
                                             ? ""
                                             : missing_to_compile(context_.toolchain, built.log);
             !missing.empty()) {
    refuse(fmt::format("This computer lacks what C++ is compiled with: {}.\nYour files are not to "
                       "blame. On Debian or Ubuntu, install it with: apt install {}",
                       missing, packages_to_compile()),
           "not_run");
  } else if (!built.fine) {
    refuse(fmt::format("{}\n{}", kDoesNotCompile, built.log));
  }
  return built.fine;
}

void Grading::grade_go_tests(const GradingRequest& request, const std::vector<Variant>& variants) {
  const fs::path file = request.submission / context_.exercise.files.front();
  GoTests tests(context_, variants);
  const Stage stage(context_.toolchain, context_.sandbox);
  context_.notify("compiling");
  if (!is_built(request, tests.build(stage, file))) {
    return;
  }
  SuiteOptions options = options_of(request);
  options.seed = suite_seed_for(request.seeds.front(), {file}, variants);
  const SuiteTime time = time_for(variants, request.time_max);
  begin_to_run(time.on_the_clock);
  suite_ = tests.run(stage, options);
  if (suite_.given_up.empty()) {
    put_judged_suite(request, {file});
  } else {
    put_given_up(grade_, suite_, time);
  }
}

void Grading::put_judged_suite(const GradingRequest& request, const std::vector<fs::path>& files) {
  if (request.test_case.empty()) {
    name_misconceptions(suite_, context_.exercise, text_of(files));
  }
  put_suite(grade_, suite_);
  if (request.instructor.empty()) {
    grade_.summary.replace(0, grade_.summary.find('\n'), words_at_home(context_.exercise, suite_));
  }
  grade_.status = Grade::Status::Finished;
}

void Grading::grade_suite(const GradingRequest& request) {
  const fs::path hidden = request.instructor.empty()
                              ? fs::path()
                              : hidden_folder(context_.exercise, request.instructor);
  std::vector<Variant> variants = read_variants(context_.exercise, hidden);
  if (!request.defects.empty()) {
    std::erase_if(variants, [](const Variant& variant) { return !is_correct(variant); });
    variants.insert(variants.end(), request.defects.begin(), request.defects.end());
  }
  require_correct(context_.exercise, variants);
  if (is_in_go(context_.exercise)) {
    grade_go_tests(request, variants);
    return;
  }
  VariantBuilder(context_.toolchain, context_.exercise, context_.notify).build(variants);
  Stage stage(context_.toolchain, context_.sandbox);
  stage.set_judge(context_.toolchain.suite_runner());
  stage.set_judge(stand_in_of_library(context_));
  stage.set_server({context_.toolchain.suite_runner(), server_of_library(context_)});
  std::vector<fs::path> files = context_.exercise.task == Task::ModelCheck
                                    ? cpp_files_of(context_.exercise.folder / "tests")
                                    : std::vector<fs::path>();
  for (const std::string& file : context_.exercise.files) {
    if (file != kAnswersFile) {
      files.push_back(request.submission / file);
    }
  }
  stage.bring(files);
  std::optional<Answers> answers;
  if (!reads_answers(request, answers) || !compiles(request, stage, files)) {
    return;
  }
  SuiteOptions options = options_of(request);
  if (!options.cases.empty()) {
    std::erase_if(variants, [](const Variant& variant) { return !is_correct(variant); });
  }
  options.seed = suite_seed_for(request.seeds.front(), files, variants);
  const SuiteTime time = time_for(variants, request.time_max);
  options.processor_max = time.of_processor;
  begin_to_run(time.on_the_clock);
  const double points_max = grade_.points_max;
  grade_.points_max *= answers ? 1 - kShareOfQuestions : 1;
  suite_ = run_suite(context_, stage, variants, options);
  if (!suite_.given_up.empty()) {
    put_given_up(grade_, suite_, time);
    return;
  }
  put_judged_suite(request, files);
  grade_.points_max = points_max;
  if (answers && options.cases.empty()) {
    put_questions_of_suite(request, *answers);
  }
}

bool Grading::reads_answers(const GradingRequest& request, std::optional<Answers>& answers) {
  if (std::ranges::find(context_.exercise.files, kAnswersFile) == context_.exercise.files.end()) {
    return true;
  }
  try {
    answers = read_answers(request.submission / kAnswersFile);
  } catch (const BadInput& wrong) {
    refuse(wrong.what());
  }
  return answers.has_value();
}

void Grading::put_questions_of_suite(const GradingRequest& request, const Answers& answers) {
  const std::optional<Answers> right = right_answers(context_.exercise, request.instructor);
  Grade asked{.points_max = grade_.points_max * kShareOfQuestions};
  put_answers(asked, context_.exercise, answers, right);
  grade_.cases.insert(grade_.cases.end(), asked.cases.begin(), asked.cases.end());
  grade_.points_open = asked.points_open;
  grade_.points_max -= asked.points_open;
  grade_.summary +=
      right ? fmt::format("\n{} of {} questions are answered right.",
                          std::ranges::count_if(asked.cases, is_good), asked.cases.size())
            : "\n"
              "The grade will show whether the answers are right.";
}

void Grading::grade_stories_of_controllers(const GradingRequest& request) {
  const fs::path hidden = request.instructor.empty()
                              ? fs::path()
                              : hidden_folder(context_.exercise, request.instructor);
  std::vector<Variant> controllers = read_variants(context_.exercise, hidden);
  require_correct(context_.exercise, controllers);
  build_controllers(context_, controllers);
  begin_to_run(request.time_max);
  // Each schedule is a process of a controller: few are played, and more of them for an author.
  const std::size_t schedules = kSchedulesOfStories + request.rounds / 3;
  suite_ = run_stories(context_, controllers, request.submission, schedules);
  if (!suite_.given_up.empty()) {
    refuse(fmt::format("It could not be evaluated, and nothing is lost: {}. This machine has too "
                       "much to do; try "
                       "again when it has less.",
                       suite_.given_up),
           "not_run");
    return;
  }
  put_story_runs(grade_, suite_);
  grade_.status = Grade::Status::Finished;
}

void Grading::grade_implementation(const GradingRequest& request) {
  const fs::path visible =
      trusted_program(context_, "visible", cpp_files_of(context_.exercise.folder / "tests"));
  Stage stage(context_.toolchain, context_.sandbox);
  std::vector<fs::path> files;
  for (const std::string& file : context_.exercise.files) {
    files.push_back(request.submission / file);
  }
  stage.bring(files);
  if (!compiles(request, stage, files)) {
    return;
  }
  stage.adopt_subject();
  begin_to_run(request.time_max);
  const SuiteOptions options = options_of(request);
  const auto run = [&](const fs::path& program) {
    return run_implementation(context_, stage, program, options);
  };
  const ImplementationRuns shown = run(visible);
  ImplementationRuns hidden;
  const std::vector<fs::path> tests = request.instructor.empty()
                                          ? std::vector<fs::path>()
                                          : cpp_files_of(request.instructor / "tests");
  if (!tests.empty()) {
    Grade partial = grade_;
    put_implementation(partial, shown, hidden);
    for (GradeCase& entry : partial.cases) {
      entry.points = 0;  // what a case is worth is known when the hidden ones have been counted
    }
    listener_(partial);
    hidden = run(trusted_program(context_, "hidden", tests));
    if (hidden.cases.empty()) {
      refuse(fmt::format("It was not run to the end ({} s are allowed): {}.",
                         request.time_max.count(), hidden.trouble));
      return;
    }
  }
  put_implementation(grade_, shown, hidden);
  grade_.status = Grade::Status::Finished;
}

}  // namespace watchlab::course
