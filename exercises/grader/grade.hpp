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

/// Whether it got what there was to get: it passed, or it is a defect that was noticed.
[[nodiscard]] inline bool is_good(const GradeCase& entry) {
  return entry.outcome == "pass" || entry.outcome == "killed";
}

/// What grading a submission came to, from its first moment on. All formats are made from it.
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
  /// At home: the points of answers of which nothing there knows whether they are right.
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

/// The grade as it may be written down: every text is plain (exercises/programs/texts.hpp), names
/// and the like are one line, and points are within their bounds: no case has less than none or
/// more than its most, and the most is a finite number. Each format begins with it, and so does the
/// terminal.
[[nodiscard]] Grade presentable(Grade grade);

/// To four places, so that sums of thirds look like what they are.
[[nodiscard]] double rounded(double points);

/// A way to write a grade down.
struct GradeFormat {
  std::string_view name;       ///< as --format takes it
  std::string_view file_name;  ///< where its platform looks for it
  std::string (*text)(const Grade&);
};

/// json, gradescope, classroom50, prairielearn, junit, exercism.
[[nodiscard]] const std::vector<GradeFormat>& grade_formats();
/// Throws `BadInput` with the names that there are.
[[nodiscard]] const GradeFormat& find_format(std::string_view name);

[[nodiscard]] std::string to_json(const Grade& grade);
[[nodiscard]] std::string to_gradescope(const Grade& grade);
[[nodiscard]] std::string to_classroom50(const Grade& grade);
[[nodiscard]] std::string to_prairielearn(const Grade& grade);
[[nodiscard]] std::string to_junit(const Grade& grade);
[[nodiscard]] std::string to_exercism(const Grade& grade);

/// What the summary of a grade says that is not known to its end, in every format: until the next
/// one is written, nobody knows whether there will be one.
inline constexpr std::string_view kNotAtItsEnd =
    "Grading did not come to its end; what is known was known by then.";
/// And the format json, beside that; how it begins.
inline constexpr std::string_view kBeginningOfJson = R"({"schema":"watchlab/grade/v1")";
inline constexpr std::string_view kRunningInJson = R"("status":"running")";
inline constexpr std::string_view kEndedInJson = R"("status":"ended")";

/// Says in a result that its grading has ended without coming to its end, if it has; a finished
/// result stays as it is. Throws `std::runtime_error` when it cannot be written.
void mark_as_ended(const std::filesystem::path& file);

/// Writes a grade down again and again, whole each time, so that there is a valid file from the
/// first second on, whatever happens. Into a device, a pipe or through a link, and over a result
/// that is there, it is written once, at its end: what interrupts it leaves the result of before.
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

/// What a suite of tests is worth.
struct SuiteScore {
  double validity = 0;      ///< V: valid tests of all
  double thoroughness = 0;  ///< T: the weight of the defects that were noticed, of all
  double points = 0;        ///< 100·T·max(0.5, V); 0 without a valid test
};

/// A defect, as far as it counts.
struct WeightedKill {
  double weight = 1;
  bool killed = false;
};

[[nodiscard]] SuiteScore score_of(std::size_t valid, std::size_t tests,
                                  const std::vector<WeightedKill>& defects);

/// Points as a platform wants them that knows no fractions.
struct WholePoints {
  std::vector<long> most;    ///< adds up to the rounded sum of what there is to get
  std::vector<long> points;  ///< adds up to the rounded sum of what was got; none above its `most`
};

/// `points` are no more than `most`, one by one. Each whole number differs from its own by less
/// than one where the sums allow it. Where `most` has to be rounded one way or the other, what was
/// got counts more than what was not: else a student could not get all that was earned.
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
