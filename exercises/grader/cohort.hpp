#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace watchlab::course {

/// How grading a folder of submissions went. Each entry of the folder is counted once: as graded,
/// not gradable, broken or skipped.
struct CohortResult {
  std::size_t graded = 0;
  std::vector<std::string> not_gradable;  ///< submissions that cannot be run, with why
  std::vector<std::string> broken;        ///< submissions whose grader failed, with why
  std::vector<std::string> skipped;       ///< what lies in the folder and is no submission
};

/// What a grader of one submission says on standard output when that cannot be graded; the reason
/// follows on the same line.
inline constexpr std::string_view not_gradable_mark = "not gradable: ";

/// Grades each folder of `submissions` by a process of its own, `jobs` at a time, so that none can
/// stop the rest. `words_for` gives the words of the process for one submission, by its folder;
/// `done` hears each one's name when its process has ended. Throws `BadInput` when there is nothing
/// to grade, `std::runtime_error` when no process can be started.
[[nodiscard]] CohortResult grade_cohort(
    const std::filesystem::path& submissions, std::size_t jobs,
    const std::function<std::vector<std::string>(const std::filesystem::path&)>& words_for,
    const std::function<void(const std::string&)>& done);

}  // namespace watchlab::course
