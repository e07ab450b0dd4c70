#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "exercises/gradebook/lateness.hpp"

namespace watchlab::course {

/// Why a student has few points, or none, in one exercise.
enum class Shortfall : std::uint8_t {
  None,            ///< it was graded, and has points
  Zero,            ///< it was graded, and has none
  DoesNotCompile,  ///< the compiler refuses it
  FileMissing,     ///< something was handed in, and a file of it is missing or cannot be read
  NotRun,          ///< it cannot be graded for another reason
  Unfinished,      ///< its grader has not come to its end: grade it again
  TooLate,         ///< it is later than the policy takes
  Missing,         ///< there is no result
  NotDue,          ///< nor need there be one yet
};
inline constexpr std::size_t kShortfalls = 9;

/// "does_not_compile"; "" of none, and of what is not due.
[[nodiscard]] std::string_view to_string(Shortfall shortfall);

/// A cell of the gradebook.
struct GradebookEntry {
  double earned = 0;      ///< before anything is taken off for being late
  double points = 0;      ///< what counts
  double points_max = 0;  ///< of the gradebook; a course's own where it says so
  Lateness lateness;
  Shortfall shortfall = Shortfall::Missing;
  std::string grade;     ///< as `grade --format json` wrote it; "" for none
  std::string override;  ///< why an instructor has set the points; "" where nobody has

  /// Whether there are points; a cell without is empty, and not 0.
  [[nodiscard]] bool has_points() const {
    return !override.empty() ||
           (shortfall != Shortfall::Missing && shortfall != Shortfall::NotDue &&
            shortfall != Shortfall::Unfinished && shortfall != Shortfall::NotRun);
  }
};

/// What the students of a course got.
struct Gradebook {
  std::vector<Student> students;              ///< in the roster's order
  std::vector<Assignment> exercises;          ///< in the policy's order, then by id
  std::map<std::string, std::string> titles;  ///< of exercises with a result
  /// By student and exercise; each pair has one.
  std::map<std::pair<std::string, std::string>, GradebookEntry> entries;
  std::vector<std::string> strangers;  ///< results of no student of the roster, with what is near
  std::vector<std::string> notes;      ///< what is taken as it is, and may be a mistake

  [[nodiscard]] const GradebookEntry& entry(const Student& student,
                                            const Assignment& exercise) const {
    return entries.at({student.id, exercise.id});
  }
};

struct GradebookInput {
  std::vector<Student> students;
  CoursePolicy policy;
  SubmissionTimes submitted;
  Overrides overrides{};
  Moment now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  /// Folders with what `grade --cohort` wrote in the format json; also in folders of these.
  std::vector<std::filesystem::path> results;
};

/// Throws `BadInput` for a file that is no grade, and where two are of one student and exercise.
/// Throws it for an override of no student, or of no exercise of the policy or of a result.
[[nodiscard]] Gradebook make_gradebook(const GradebookInput& input);

/// "student,name,exercise,earned,points,max_points,late_days,failure,override", a line a cell.
[[nodiscard]] std::string to_csv(const Gradebook& book);
/// A gradebook as Canvas imports it: two lines of names and most points, then a line a student.
[[nodiscard]] std::string to_canvas(const Gradebook& book);
/// A gradebook as Moodle imports it, by address, with a column of feedback for each exercise.
[[nodiscard]] std::string to_moodle(const Gradebook& book);

/// "6 results: 4 with points, 1 does not compile, 1 missing"
[[nodiscard]] std::string summary_of(const Gradebook& book);

/// The page of one student: what was noticed, what was not, and the steps of what failed. Nothing
/// that is hidden but its number and points.
[[nodiscard]] std::string feedback_page(const Gradebook& book, const Student& student);

}  // namespace watchlab::course
