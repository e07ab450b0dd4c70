#pragma once

#include <functional>
#include <string>
#include <vector>

#include "exercises/grader/grade.hpp"
#include "exercises/grader/homework.hpp"
#include "exercises/programs/exercise.hpp"
#include "exercises/programs/toolchain.hpp"
#include "scenarios/command_line/command_line.hpp"
#include "scenarios/command_line/console.hpp"

/// The commands of `watchlab-course`: those of students, of instructors, and of authors.
namespace watchlab::course {

using scenarios::Argument;
using scenarios::Console;

[[nodiscard]] scenarios::Command bundle_command();
[[nodiscard]] scenarios::Command check_command();
[[nodiscard]] scenarios::Command dev_command();
[[nodiscard]] scenarios::Command grade_command();
[[nodiscard]] scenarios::Command gradebook_command();
[[nodiscard]] scenarios::Command hint_command();
[[nodiscard]] scenarios::Command list_command();
[[nodiscard]] scenarios::Command predict_command();
[[nodiscard]] scenarios::Command start_command();
[[nodiscard]] scenarios::Command statistics_command();
[[nodiscard]] scenarios::Command watch_command();

/// Those of instructors and authors, where this program has them.
void add_commands_of_instructors(std::vector<scenarios::Command>& commands);

/// Standard output for a student: lines are in the student's language, and commands as they are
/// typed here.
class StudentConsole : public Console {
 public:
  StudentConsole() : Console({}) {}

  void line(std::string_view text);
  /// The same behind a check mark, or a cross.
  void verdict(bool is_good, std::string_view text);
  void progress(std::string_view text);
};

/// Runs the work of a command: `BadInput` becomes its messages on standard error and status 2.
[[nodiscard]] int guarded(const std::function<int()>& work);

/// The exercise that is meant: by name, or the homework's current one.
[[nodiscard]] Exercise chosen_exercise(const Toolchain& toolchain, const Homework& homework,
                                       const std::string& name);

/// "--homework DIR", where the student's files are.
[[nodiscard]] Argument homework_argument(std::string& folder);
/// The exercise, by its place.
[[nodiscard]] Argument exercise_argument(std::string& name, bool required);

/// The grade of a predict exercise as far as it is known at home, from the student's folder.
[[nodiscard]] Grade grade_of_predictions(const Toolchain& toolchain, const Exercise& exercise,
                                         const std::filesystem::path& folder);

/// Shows a grade to the student at the terminal: what counts, what does not and why, step by step,
/// and what survives. A defect's symptom is shown after it has survived two attempts.
void show_verdict(StudentConsole& console, const Exercise& exercise, const Grade& grade,
                  const Progress& progress);

/// The same of a grade of one case: without points.
void show_case(StudentConsole& console, const Exercise& exercise, const Grade& grade);

/// Whether that is as good as it gets: all points that there are to get here.
[[nodiscard]] bool is_complete(const Grade& grade);

}  // namespace watchlab::course
