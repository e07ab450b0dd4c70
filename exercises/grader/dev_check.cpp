#include "exercises/grader/dev_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <set>

#include "exercises/grader/bundle.hpp"
#include "exercises/grader/diagnosis.hpp"
#include "exercises/grader/grade_tests.hpp"
#include "exercises/grader/grading.hpp"
#include "exercises/grader/judge_suite.hpp"
#include "exercises/grader/predictions.hpp"
#include "exercises/grader/questions.hpp"
#include "exercises/programs/controllers.hpp"
#include "exercises/programs/secrets.hpp"
#include "exercises/programs/texts.hpp"
#include "exercises/programs/trusted_program.hpp"
#include "exercises/programs/variant.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;

constexpr double kGapMin = 15;
constexpr const char* kNamesOfTests = "tests.txt";

bool all_count(const SuiteRuns& runs) {
  return std::ranges::all_of(runs.tests, &SuiteRuns::Test::valid);
}

/// The name of the test that a line begins; "" of others.
std::string_view test_begun_by(std::string_view line) {
  for (const std::string_view begin : {"BOOST_AUTO_TEST_CASE(", "func "}) {
    if (line.starts_with(begin)) {
      line.remove_prefix(begin.size());
      line = line.substr(0, line.find_first_of("()"));
      return begin != "func " || line.starts_with("Test") ? line : "";
    }
  }
  return "";
}

/// A suite without the tests that `names` does not list. Takes those it has off the list.
std::string only_tests(const std::string& suite, std::set<std::string_view>& names) {
  std::string text;
  bool is_kept = true;
  for (const std::string_view line : lines_in(suite)) {
    if (const std::string_view name = test_begun_by(line); !name.empty()) {
      is_kept = names.erase(name) > 0;
    }
    text += is_kept ? fmt::format("{}\n", line) : "";
    is_kept = is_kept || line == "}";
  }
  return text;
}

/// The checks of one exercise.
class Checker {
 public:
  Checker(const CommandContext& context, const DevCheckOptions& options)
      : context_(context), exercise_(context.exercise), options_(options) {}

  DevCheck found;

  void check_texts() {
    require_sections();
    const Hints hints = read_hints(exercise_);
    if (hints.hints.size() != 3 || hints.after.empty()) {
      report("hints.yaml has three hints and a note for afterwards");
    }
    for (const std::string& clause : exercise_.clauses) {
      const int number = clause.starts_with('C') ? std::atoi(clause.c_str() + 1) : 0;
      if (number < 1 || number > 17) {
        report(fmt::format("exercise.yaml names the clause {}; there are C1 to C17", clause));
      }
    }
    for (const std::string& file : exercise_.files) {
      if (!fs::exists(exercise_.folder / "starter" / file)) {
        report(fmt::format("starter/{} is missing", file));
      }
    }
  }

  void check_suites() {
    if (!has_two_correct()) {
      report("variants/correct wants two libraries that differ in what is not promised");
      return;
    }
    Grading reference(context_, [](const Grade&) {});
    GradingRequest request = request_for(options_.instructor / "solution");
    request.rounds = (options_.seeds + kRunsWithDefect - 1) / kRunsWithDefect;
    const Grade solution = reference.grade(request);
    const SuiteRuns& runs = reference.suite();
    const auto about = errors_in(runs);
    if (solution.status != Grade::Status::NotGradable && all_count(runs)) {
      require_full(solution);
    }
    found.errors.insert(found.errors.end(), about.begin(), about.end());
    // What follows from a reference that is none would hide why.
    if (!is_gradable("instructor/solution", solution) || !all_count(runs)) {
      return;
    }
    check_matrix(kill_matrix(runs));
    require_ranks(solution.points());
    const Grade starter = grade_of(exercise_.folder / "starter");
    if (is_gradable("starter", starter) && starter.points() > solution.points() - kGapMin) {
      report("the starter gets nearly all points already");
    }
  }

  /// The world's own answers and the instructor's make all points, and no question has none.
  void check_predictions() {
    const Answers right = read_answers(options_.instructor / "answers.yaml");
    Answers perfect = right;
    for (const Question& question : read_questions(exercise_)) {
      if (question.measured) {
        perfect.answers[question.id] = measured_answer(exercise_, question);
      }
      if (!right.because.contains(question.id)) {
        report(
            fmt::format("instructor/answers.yaml does not say because of what: {}", question.id));
      }
    }
    Grade grade{.points_max = static_cast<double>(exercise_.points)};
    put_answers(grade, exercise_, perfect, right);
    require_full(grade);
    const Predictions starter(exercise_, exercise_.folder / "starter/answers.yaml");
    if (!starter.drafts().empty() || !starter.counted().empty()) {
      report("starter/answers.yaml has answers: they could be locked for a student's own");
    }
  }

  /// The reference answers make all points, and nothing less than a schedule does.
  void check_diagnoses() {
    for (const DiagnosedCase& diagnosed : read_cases(exercise_)) {
      if (!holds_undisturbed(context_, diagnosed)) {
        report(fmt::format("{} fails under the default order: that is no cold case", diagnosed.id));
      }
    }
    require_full(grade_of(options_.instructor));
    require_less_of_starter();
  }

  void check_implementation() {
    GradingRequest request = request_for(options_.instructor / "solution");
    request.seeds.resize(options_.seeds);
    std::iota(request.seeds.begin(), request.seeds.end(), 1);
    require_full(grade_of(request));
    require_less_of_starter();
    check_defects_of_implementation();
  }

  void check_task() {
    switch (exercise_.task) {
      case Task::Tests:
      case Task::ModelCheck:
        check_suites();
        break;
      case Task::Implement:
        check_implementation();
        break;
      case Task::Diagnose:
        check_diagnoses();
        break;
      case Task::WriteScenario:
        if (is_about_controllers(exercise_)) {
          check_suites();
          break;
        }
        require_full(grade_of(options_.instructor / "solution"));
        require_less_of_starter();
        break;
      case Task::Predict:
        check_predictions();
        break;
      default:
        break;
    }
  }

  void check_museum() {
    const auto wrong = errors_with_museum(context_, options_.instructor);
    found.errors.insert(found.errors.end(), wrong.begin(), wrong.end());
  }

  /// Notes how long a part takes.
  void timed(const char* part, const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    found.times +=
        fmt::format("{}{} {:.1f} s", found.times.empty() ? "" : ", ", part, took.count());
  }

  /// Makes a bundle of the exercise and looks for what students must not have.
  void check_bundle() {
    const Stage stage(context_.toolchain, context_.sandbox);
    write_bundle(context_.toolchain, {.exercises = {exercise_}}, stage.work() / "bundle",
                 context_.notify);
    for (const std::string& leak :
         leaks_of(stage.work() / "bundle", secrets_of(exercise_, options_.instructor))) {
      report("the bundle shows what is hidden: " + leak);
    }
  }

 private:
  void report(std::string error) { found.errors.push_back(std::move(error)); }

  [[nodiscard]] GradingRequest request_for(const fs::path& submission) const {
    return {.submission = submission,
            .instructor = options_.instructor,
            .cache = {},
            .time_max = std::chrono::hours(24)};
  }

  Grade grade_of(const GradingRequest& request) {
    return Grading(context_, [](const Grade&) {}).grade(request);
  }
  Grade grade_of(const fs::path& submission) { return grade_of(request_for(submission)); }

  /// Of the solution with only those tests that a file in `folder` names.
  Grade grade_of_part(const fs::path& folder) {
    const Stage stage(context_.toolchain, context_.sandbox);
    const std::string list = read_whole(folder / kNamesOfTests);
    const std::vector<std::string_view> lines = lines_in(list);
    std::set<std::string_view> names(lines.begin(), lines.end());
    const std::string& file = exercise_.files.front();
    write_output(stage.work() / file,
                 only_tests(read_whole(options_.instructor / "solution" / file), names));
    for (const std::string_view name : names) {
      report(fmt::format("suites/{}/{} names {}, which is no test of the solution",
                         folder.filename().string(), kNamesOfTests, name));
    }
    return grade_of(stage.work());
  }

  void require_less_of_starter() {
    const Grade starter = grade_of(exercise_.folder / "starter");
    if (is_gradable("starter", starter) && starter.points() >= starter.points_max) {
      report("the starter must not get all points");
    }
  }

  /// Reports why it is not: the compiler's first error, where there is one.
  bool is_gradable(const std::string& folder, const Grade& grade) {
    if (grade.status == Grade::Status::Finished) {
      return true;
    }
    const std::vector<std::string_view> lines = lines_in(grade.summary);
    std::string_view why = lines.empty() ? "" : lines.front();
    const bool compiles = why != kDoesNotCompile;
    if (!compiles) {
      const auto error = std::ranges::find_if(
          lines, [](std::string_view line) { return line.find("error") != line.npos; });
      why = error != lines.end() ? *error : lines.back();
    }
    report(
        fmt::format("{} {}: {}", folder, compiles ? "cannot be graded" : "does not compile", why));
    return false;
  }

  void require_sections() {
    const std::string text = read_whole(exercise_.folder / "README.md");
    for (const char* const section : {"## Why", "## The idea", "## What is graded", "## Notes"}) {
      if (text.find(section) == std::string::npos) {
        report(fmt::format("README.md has no section '{}'", section));
      }
    }
  }

  [[nodiscard]] bool has_two_correct() const {
    const auto variants = read_variants(exercise_, hidden_folder(exercise_, options_.instructor));
    const auto correct = std::count_if(variants.begin(), variants.end(), [](const Variant& each) {
      return each.pool == Pool::Correct;
    });
    return correct >= 2;
  }

  void require_full(const Grade& solution) {
    if (solution.points() < solution.points_max - 1e-6) {
      report(fmt::format("the solution gets {:.2f} of {:.2f} points: {}", solution.points(),
                         solution.points_max, solution.summary));
      for (const GradeCase& entry : solution.cases) {
        if (!is_good(entry)) {
          report(fmt::format("  {} ({}): {}", entry.id, entry.variant, entry.message));
        }
      }
    }
  }

  void check_matrix(const std::string& matrix) {
    const fs::path file = options_.instructor / "kill_matrix.csv";
    if (options_.write) {
      write_output(file, matrix);
    } else if (!fs::exists(file) || read_whole(file) != matrix) {
      report("instructor/kill_matrix.csv is not up to date; dev check --write makes it so");
    }
  }

  /// Empty < happy path < ported < reference.
  void require_ranks(double reference) {
    std::string weaker;
    double before = 0;
    const auto rank = [&](const std::string& name, double points) {
      found.ranks += fmt::format("{}{} {:.1f}", weaker.empty() ? "" : " < ", name, points);
      if (!weaker.empty() && points < before + kGapMin) {
        report(fmt::format("{} ({:.1f}) and {} ({:.1f}) are not {} points apart", weaker, before,
                           name, points, kGapMin));
      }
      weaker = name;
      before = points;
    };
    std::vector<const char*> suites{"empty", "happy_path"};
    if (is_suite(exercise_.task)) {
      suites.push_back("ported");
    }
    for (const char* const suite : suites) {
      const fs::path folder = options_.instructor / "suites" / suite;
      if (fs::is_directory(folder)) {
        const Grade grade =
            fs::exists(folder / kNamesOfTests) ? grade_of_part(folder) : grade_of(folder);
        if (is_gradable(fmt::format("suites/{}", suite), grade)) {
          rank(suite, grade.points());
        }
      } else {
        report(fmt::format("instructor/suites/{} is missing", suite));
      }
    }
    rank("solution", reference);
  }

  void check_defects_of_implementation() {
    auto variants = read_variants(exercise_, hidden_folder(exercise_, options_.instructor));
    VariantBuilder(context_.toolchain, exercise_, context_.notify).build(variants);
    Stage stage(context_.toolchain, context_.sandbox);
    for (const Variant& variant : variants) {
      stage.set_subject(variant.built);
      const bool fails = fails_tests(context_, stage, options_.instructor);
      if (fails == (variant.pool == Pool::Correct)) {
        report(fmt::format("the tests {} the {} variant {}", fails ? "refuse" : "accept",
                           to_string(variant.pool), variant.id));
      }
    }
  }

  const CommandContext& context_;
  const Exercise& exercise_;
  const DevCheckOptions& options_;
};

/// The same of the tests of one folder.
bool fails_any(const CommandContext& context, Stage& stage, const std::string& name,
               const fs::path& folder) {
  const auto files = cpp_files_of(folder);
  if (files.empty()) {
    return false;
  }
  const fs::path program = trusted_program(context, name, files);
  return std::ranges::any_of(SuiteOptions().seeds, [&](std::uint64_t seed) {
    const ImplementationRuns runs = run_implementation(context, stage, program, {.seeds = {seed}});
    return std::ranges::any_of(
        runs.cases, [](const CaseRun& run) { return run.outcome != CaseRun::Outcome::Passed; });
  });
}

}  // namespace

bool fails_tests(const CommandContext& context, Stage& stage, const fs::path& instructor) {
  return fails_any(context, stage, "visible", context.exercise.folder / "tests") ||
         fails_any(context, stage, "hidden", instructor / "tests");
}

DevCheck check_exercise(const CommandContext& context, const DevCheckOptions& options) {
  Checker checker(context, options);
  checker.check_texts();
  if (!checker.found.errors.empty()) {
    return checker.found;
  }
  checker.timed("build", [&] { prepare_course_files(context, options.instructor); });
  checker.timed("grade", [&] { checker.check_task(); });
  if (checker.found.errors.empty() && fs::exists(options.instructor / kMuseumList)) {
    checker.timed("museum", [&] { checker.check_museum(); });
  }
  if (checker.found.errors.empty()) {
    checker.timed("bundle", [&] { checker.check_bundle(); });
  }
  return checker.found;
}

}  // namespace watchlab::course
