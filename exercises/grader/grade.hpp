#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "exercises/programs/exercise_set.hpp"

namespace watchlab::course {

/// One line of a grade: a test, a defect, a question, the compilation.
struct GradeCase {
  std::string id;       ///< "what_was_added_is_found", "shown/drops_namespace", "hidden/2"
  std::string kind;     ///< compile, test, defect, visible, hidden, predict, diagnose,
                        ///< write-scenario
  std::string clause;   ///< "C9"; "" for none
  std::string variant;  ///< the defect's name; only for those who may know it
  std::string outcome;  ///< pass, fail, killed, survived, invalid, crash, hang, not_run; open: it
                        ///< is known when it is graded
  double points = 0;
  double points_max = 0;
  bool hidden = false;    ///< its name and text are not for the student
  std::string message;    ///< one or a few sentences
  std::string narration;  ///< the failing run, step by step
  std::string schedule;   ///< what replays it at home
  std::string symptom;    ///< of a shown defect: what a user would notice
  std::string hint;       ///< of a shown defect: a question that leads to a test; "" for none
};

/// Whether it got all its points: it passed, or it is a defect that was noticed.
[[nodiscard]] inline bool is_good(const GradeCase& entry) {
  return entry.outcome == "pass" || entry.outcome == "killed";
}

/// The result of grading a submission, from the start of grading on. All formats are made from it.
struct Grade {
  enum class Status : std::uint8_t {
    Running,  ///< the rest is not known yet
    Finished,
    NotGradable,  ///< it does not compile, or files are missing: no points, no attempt used
  };

  std::string exercise;  ///< its id
  std::string title;
  Status status = Status::Running;
  std::uint64_t seed = 1;
  double points_max = 100;  ///< without `points_open`
  /// At home: the points of answers that cannot be checked there.
  double points_open = 0;
  double validity = 0;             ///< of suites of tests
  double thoroughness = 0;         ///< of suites of tests
  std::string summary;             ///< for the student, a few lines
  std::vector<std::string> walls;  ///< what contained the submission
  std::int64_t wall_ms = 0;
  std::vector<GradeCase> cases;

  /// The sum of the cases.
  [[nodiscard]] double points() const;
};

/// The grade in a form that is safe to write: every text is plain (exercises/programs/texts.hpp),
/// names and similar texts are one line, and points are within their bounds: no case has fewer than
/// 0 points or more than its maximum, and the maximum is finite. Every format and the terminal use
/// it first.
[[nodiscard]] Grade presentable(Grade grade);

/// Rounded to four places, so that a sum of thirds shows as a whole number.
[[nodiscard]] double rounded(double points);

/// A way to write a grade down.
struct GradeFormat {
  std::string_view name;       ///< as --format takes it
  std::string_view file_name;  ///< where its platform looks for it
  std::string (*text)(const Grade&);
};

/// json, gradescope, classroom50, prairielearn, junit, exercism, coderunner, autolab.
[[nodiscard]] const std::vector<GradeFormat>& grade_formats();
/// Throws `BadInput` with the known names.
[[nodiscard]] const GradeFormat& find_format(std::string_view name);

[[nodiscard]] std::string to_json(const Grade& grade);
[[nodiscard]] std::string to_gradescope(const Grade& grade);
[[nodiscard]] std::string to_classroom50(const Grade& grade);
[[nodiscard]] std::string to_prairielearn(const Grade& grade);
[[nodiscard]] std::string to_junit(const Grade& grade);
[[nodiscard]] std::string to_exercism(const Grade& grade);
[[nodiscard]] std::string to_coderunner(const Grade& grade);
[[nodiscard]] std::string to_autolab(const Grade& grade);

/// What the summary of an unfinished grade says, in every format: until the next one is written,
/// nobody knows whether there will be one.
inline constexpr std::string_view kNotAtItsEnd =
    "Grading did not come to its end; what is known was known by then.";
/// And the format json, beside that; how it begins.
inline constexpr std::string_view kBeginningOfJson = R"({"schema":"watchlab/grade/v1")";
inline constexpr std::string_view kRunningInJson = R"("status":"running")";
inline constexpr std::string_view kEndedInJson = R"("status":"ended")";

/// Marks a result whose grading was ended early; a finished result stays as it is. Throws
/// `std::runtime_error` when it cannot be written.
void mark_as_ended(const std::filesystem::path& file);

/// Writes the whole grade again after each change, so that there is a valid file from the first
/// second on, whatever happens. To a device, to a pipe, through a link, or over an existing result
/// it is written only once, at the end: if grading is interrupted, the previous result stays.
class GradeFile {
 public:
  /// An empty path writes nothing.
  GradeFile(std::filesystem::path path, const GradeFormat& format);

  /// Throws `std::runtime_error` when it cannot.
  void write(const Grade& grade) const;

 private:
  std::filesystem::path path_;
  const GradeFormat& format_;
  bool only_at_end_ = false;
};

/// Points for a platform without fractions.
struct WholePoints {
  std::vector<long> most;    ///< adds up to the rounded sum of what there is to get
  std::vector<long> points;  ///< adds up to the rounded sum of what was got; none above its `most`
};

/// Each of `points` is at most its number of `most`. Each whole number differs from the exact one
/// by less than one where the sums allow it. Where `most` can be rounded up or down, cases with
/// points are rounded up first: otherwise a student could lose points that were earned.
[[nodiscard]] WholePoints whole_points(const std::vector<double>& points,
                                       const std::vector<double>& most);

/// One grade of several: each part's cases, called "E01t shown/1", with their share of the part's
/// points in the set. `grades` are those of the first parts, in the set's order; it is finished
/// when all are there and none still runs, and not gradable when no part is.
[[nodiscard]] Grade grade_of_set(const ExerciseSet& set, const std::vector<Grade>& grades);

/// Where the files of one part are in a submission to all of them: its own folder, called like the
/// exercise's, or the submission itself.
[[nodiscard]] std::filesystem::path part_of_submission(const std::filesystem::path& submission,
                                                       const Exercise& exercise);

}  // namespace watchlab::course
