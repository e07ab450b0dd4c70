#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "exercises/grader/grade.hpp"
#include "exercises/grader/grade_tests.hpp"
#include "exercises/grader/questions.hpp"
#include "exercises/programs/builder.hpp"
#include "exercises/programs/stage.hpp"

namespace watchlab::course {

/// The help of `check` says what a student is told about it.
inline constexpr std::chrono::seconds kTimeMax{300};

/// What is graded, and how.
struct GradingRequest {
  std::filesystem::path submission;  ///< the folder with the student's files
  /// The folder of the instructor's part; "" grades only what the student may see.
  std::filesystem::path instructor;
  std::filesystem::path
      cache;  ///< where programs are kept by what they are made of; "" for nowhere
  /// Whether headers are precompiled first if they are not yet: a student who waits for one result
  /// does not want to wait for that.
  bool precompiles = true;
  /// A suite is run against these instead of the exercise's own defects, unless the list is empty.
  std::vector<Variant> defects;
  std::vector<std::uint64_t> seeds{1, 2, 3};  ///< of `SuiteOptions`; a suite uses the first one
  std::size_t rounds = 1;                     ///< of `SuiteOptions`
  std::string schedule;                       ///< the only one to play; "" for all
  /// The only test to look at, with the libraries that are right; "" for all. Then the grade has
  /// this case alone, and says nothing of points. `grade` throws `BadInput` where there is none.
  std::string test_case;
  /// For running all that the student has written, on the clock; a suite of tests has as much of
  /// the processor (`time_for`).
  std::chrono::seconds time_max{kTimeMax};
  /// For compiling it, of the processor.
  std::chrono::seconds compile_max{kCompileTime};
};

/// Grades one submission. `listener` receives the grade at the start and whenever more of it is
/// known. Throws `BadInput` when the course's own files are wrong; faults of the submission are
/// part of the grade.
class Grading {
 public:
  using Listener = std::function<void(const Grade&)>;

  Grading(const CommandContext& context, Listener listener)
      : context_(context), listener_(std::move(listener)) {}

  Grade grade(const GradingRequest& request);

  /// What a suite of tests did, after it was graded.
  [[nodiscard]] const SuiteRuns& suite() const { return suite_; }

 private:
  void grade_suite(const GradingRequest& request);
  void grade_go_tests(const GradingRequest& request, const std::vector<Variant>& variants);
  /// The lines of the grade for what the suite did, whose sources are `files`.
  void put_judged_suite(const GradingRequest& request,
                        const std::vector<std::filesystem::path>& files);
  /// The answers to questions.yaml of an exercise that wants some beside a suite; false when it has
  /// refused them.
  [[nodiscard]] bool reads_answers(const GradingRequest& request, std::optional<Answers>& answers);
  void put_questions_of_suite(const GradingRequest& request, const Answers& answers);
  void grade_implementation(const GradingRequest& request);
  void grade_predictions(const GradingRequest& request);
  void grade_diagnoses(const GradingRequest& request);
  void grade_stories(const GradingRequest& request);
  void grade_stories_of_controllers(const GradingRequest& request);
  /// Brings the files to the stage, compiled; false when it has refused them.
  [[nodiscard]] bool compiles(const GradingRequest& request, const Stage& stage,
                              const std::vector<std::filesystem::path>& files);
  /// The same of what was compiled.
  [[nodiscard]] bool is_built(const GradingRequest& request, const Built& built);
  /// The time limit starts here.
  void begin_to_run(std::chrono::seconds time_max);
  [[nodiscard]] bool has_all_files(const GradingRequest& request);
  void refuse(const std::string& why, const std::string& outcome = "fail");

  CommandContext context_;
  Listener listener_;
  Grade grade_;
  SuiteRuns suite_;
};

/// What a submission to an exercise is compiled to.
[[nodiscard]] constexpr Product product_of(Task task) {
  return task == Task::Implement ? Product::Library : Product::Tests;
}

/// Builds what all submissions to an exercise are run against: its variants and its own tests.
void prepare_course_files(const CommandContext& context, const std::filesystem::path& instructor);

}  // namespace watchlab::course
