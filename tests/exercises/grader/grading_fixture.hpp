#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>

#include "exercises/grader/grade.hpp"
#include "exercises/grader/grading.hpp"
#include "exercises/programs/exercise.hpp"
#include "exercises/programs/toolchain.hpp"
#include "exercises/sandbox/sandbox.hpp"
#include "tests/exercises/grader/scratch_folder.hpp"

namespace watchlab::course {

/// The tests' build tree's own toolchain.
inline Toolchain toolchain_of_tests() {
  const auto here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  return read_toolchain(here / "../../../exercises/grader/toolchain.yaml");
}

/// Grades for one test: submissions lie in a scratch folder.
struct GradingFixture {
  Toolchain toolchain = toolchain_of_tests();
  Exercise exercise = read_exercise(toolchain.root / "tests/exercises/grader/hostile/90-counter");
  Sandbox sandbox;
  ScratchFolder scratch;
  std::filesystem::path instructor = exercise.folder / "instructor";
  std::filesystem::path cache;
  std::chrono::seconds time_max{300};

  /// Grades the folder `handin` of the scratch folder, and writes the result beside it.
  Grade grade_submission(const std::filesystem::path& submission) {
    const GradeFile file(scratch.path() / "results.json", find_format("json"));
    const CommandContext context{toolchain, sandbox, exercise, [](std::string_view) {}};
    Grading grading(context, [&](const Grade& grade) { file.write(grade); });
    return grading.grade(
        {.submission = submission, .instructor = instructor, .cache = cache, .time_max = time_max});
  }
  Grade grade_source(const std::string& source) {
    scratch.write("handin/counter_test.cpp", source);
    return grade_submission(scratch.path() / "handin");
  }
};

/// All that a grade says, in one text.
inline std::string words_of(const Grade& grade) {
  std::string words = grade.summary;
  for (const GradeCase& entry : grade.cases) {
    words += "\n" + entry.id + " " + entry.outcome + " " + entry.message + "\n" + entry.narration;
  }
  return words;
}

}  // namespace watchlab::course
