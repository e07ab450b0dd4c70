#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace watchlab::course {

/// What the results of a cohort are called, without ".json": each like the folder of its
/// submission. A folder's name may be too long for that; then it is its beginning and a digest of
/// all of it. No two submissions of one cohort get the same name.
class ResultNames {
 public:
  /// `submissions` is the folder of them all.
  explicit ResultNames(std::filesystem::path submissions) : submissions_(std::move(submissions)) {}

  /// The name for the submission in the folder of that name; the same each time.
  [[nodiscard]] std::string name_for(const std::string& folder);
  /// A message for each result that is not called like its folder, in the order of those.
  [[nodiscard]] std::vector<std::string> notes() const;

 private:
  [[nodiscard]] bool is_taken(const std::string& name) const;

  std::filesystem::path submissions_;
  std::map<std::string, std::string> shortened_;  ///< by folder
};

}  // namespace watchlab::course
