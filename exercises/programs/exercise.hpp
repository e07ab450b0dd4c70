#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace watchlab::course {

/// Something about the course's files or the call is not as it must be; says what and where.
class BadInput : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// How the summary of a grade begins where a submission could not be run: the compiler refuses it,
/// or "the file store_test.cpp is missing".
inline constexpr std::string_view kDoesNotCompile = "It does not compile.";
inline constexpr std::string_view kTheFile = "the file ";

/// What a student does in an exercise.
enum class Task : std::uint8_t {
  Tour,
  Implement,
  Tests,
  Predict,
  Diagnose,
  ModelCheck,
  WriteScenario
};

/// The word of exercise.yaml: "model-check".
[[nodiscard]] std::string to_string(Task task);
/// Whether it is graded by the wrong libraries that it notices.
[[nodiscard]] constexpr bool is_suite(Task task) {
  return task == Task::Tests || task == Task::ModelCheck;
}

/// An exercise, as its exercise.yaml says. docs/exercises.md explains each field.
struct Exercise {
  std::filesystem::path folder;
  std::string id;
  std::string title;
  Task task = Task::Tests;
  std::int64_t minutes = 0;
  std::string level;
  std::vector<std::string> clauses;
  std::vector<std::string> files;
  std::int64_t solution_lines = 0;
  std::vector<std::string> after;
  std::int64_t points = 100;
  std::int64_t schedules = 100;
  std::int64_t wall_seconds = 10;

  /// "01t-store-tests".
  [[nodiscard]] std::string slug() const { return folder.filename().string(); }
};

/// Whether it is about broken builds, which cases.yaml lists.
[[nodiscard]] bool has_cases(const Exercise& exercise);

/// Whether its variants are controllers in Go, which a student's stories are played with: it writes
/// scenarios, and has no cases.
[[nodiscard]] bool is_about_controllers(const Exercise& exercise);

/// Whether students hand in tests that are written in Go.
[[nodiscard]] bool is_in_go(const Exercise& exercise);

/// Reads `folder`/exercise.yaml. Throws `BadInput` with file:line:column.
[[nodiscard]] Exercise read_exercise(const std::filesystem::path& folder);

/// All exercises below a folder, in the order of their names. Throws `BadInput`.
[[nodiscard]] std::vector<Exercise> read_exercises(const std::filesystem::path& exercises);

/// By id or by folder name, whatever the case of letters. Throws `BadInput` with the nearest name.
[[nodiscard]] const Exercise& find_exercise(const std::vector<Exercise>& exercises,
                                            std::string_view name);

/// The headers that lie in the exercise's folder itself: the subject, and what describes it; in Go,
/// its source.
[[nodiscard]] std::vector<std::filesystem::path> headers_of(const Exercise& exercise);

/// hints.yaml.
struct Hints {
  std::vector<std::string> hints;  ///< level 1 first
  std::string after;               ///< for a student who has done it
};

/// Throws `BadInput`.
[[nodiscard]] Hints read_hints(const Exercise& exercise);

/// The instructor's part of an exercise: in `overlay`, where that has one, else the exercise's own.
[[nodiscard]] std::filesystem::path instructor_folder(const Exercise& exercise,
                                                      const std::filesystem::path& overlay);
/// The instructor's answers.yaml. `instructor` is the folder of a grade, which needs the answers;
/// it is "" at home, where they may be missing, as in a bundle: then the path is "".
[[nodiscard]] std::filesystem::path answers_of_instructor(const Exercise& exercise,
                                                          const std::filesystem::path& instructor);
/// Its hidden defects.
[[nodiscard]] std::filesystem::path hidden_folder(const Exercise& exercise,
                                                  const std::filesystem::path& instructor);

/// The files of a folder with one of these endings, by name; none when there is no such folder.
[[nodiscard]] std::vector<std::filesystem::path> files_with(
    const std::filesystem::path& folder, const std::vector<std::string_view>& endings);
/// The C++ files of a folder, in the same way.
[[nodiscard]] std::vector<std::filesystem::path> cpp_files_of(const std::filesystem::path& folder);

}  // namespace watchlab::course
