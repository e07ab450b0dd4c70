#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace watchlab::course {

/// The result of grading a folder of submissions. Each entry of the folder is counted once: as
/// graded, not gradable, broken or skipped.
struct CohortResult {
  std::size_t graded = 0;
  std::size_t without_points = 0;         ///< of these, those that got none
  std::vector<std::string> not_gradable;  ///< submissions that cannot be run, with why
  std::vector<std::string> broken;        ///< submissions whose grader failed, with why
  std::vector<std::string> skipped;  ///< what lies in the folder and is no submission, with why
};

/// What the grader of one submission prints on standard output when it cannot be graded; the reason
/// follows on the same line.
inline constexpr std::string_view kNotGradableMark = "not gradable: ";

/// Refuses an output in a folder of inputs, submissions or results, where it would overwrite one of
/// them or be taken for one. Throws `BadInput`.
void require_apart(const std::filesystem::path& output, const std::filesystem::path& inputs);

/// Which submissions are graded.
struct CohortRequest {
  std::filesystem::path submissions;  ///< a folder of folders
  std::size_t jobs = 1;               ///< so many at a time
  std::set<std::string> only = {};  ///< the names of those that are wanted; all, where it is empty
};

/// Grades each submission in its own process, so that none can stop the others. `describe` gives
/// the words of the process for one submission, by its folder; `progress` receives a line each time
/// a process has ended: "3 of 40 submissions: anna". Throws `BadInput` when there is nothing to
/// grade or `only` names what is not there, `std::runtime_error` when no process can be started.
[[nodiscard]] CohortResult grade_cohort(
    const CohortRequest& request,
    const std::function<std::vector<std::string>(const std::filesystem::path&)>& describe,
    const std::function<void(const std::string&)>& progress);

/// The names in a file, one a line, without blank lines and lines that begin with #. Throws
/// `BadInput` when it cannot be read or names nothing.
[[nodiscard]] std::set<std::string> names_listed_in(const std::filesystem::path& file);

/// The names of a cohort's results, without ".json": each has the name of its submission's folder,
/// or, when that is too long for a file, its beginning and a digest of the whole name. No two
/// submissions of one cohort get the same name.
class ResultNames {
 public:
  /// `submissions` is the folder of them all.
  explicit ResultNames(std::filesystem::path submissions) : submissions_(std::move(submissions)) {}

  /// The name for the submission in the folder of that name; the same each time.
  [[nodiscard]] std::string name_for(const std::string& folder);
  /// A message for each result whose name is not that of its folder, in the order of the folders.
  [[nodiscard]] std::vector<std::string> notes() const;

 private:
  [[nodiscard]] bool is_taken(const std::string& name) const;

  std::filesystem::path submissions_;
  std::map<std::string, std::string> shortened_;  ///< by folder
};

}  // namespace watchlab::course
