#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace watchlab::course {

/// How grading a folder of submissions went.
struct CohortResult {
  std::size_t graded = 0;
  std::vector<std::string> broken;  ///< submissions whose grader failed, with why
};

/// Grades each folder of `submissions` by a process of its own, `jobs` at a time, so that none can
/// stop the rest. `words_for` gives the words of the process for one submission, by its folder and
/// name; `done` hears each one's name when its process has ended.
[[nodiscard]] CohortResult grade_cohort(
    const std::filesystem::path& submissions, std::size_t jobs,
    const std::function<std::vector<std::string>(const std::filesystem::path&)>& words_for,
    const std::function<void(const std::string&)>& done);

}  // namespace watchlab::course
