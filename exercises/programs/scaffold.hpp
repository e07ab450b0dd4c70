#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "exercises/programs/exercise.hpp"

namespace watchlab::course {

/// The files of a new exercise, by their paths in its folder. What its author is to write begins
/// with TO WRITE.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> scaffold_of(Task task,
                                                                           const std::string& id,
                                                                           const std::string& slug);

/// Every task by its word, as `dev new --task` takes it.
[[nodiscard]] std::vector<std::string> names_of_tasks();
/// Throws `BadInput` for a word that is none.
[[nodiscard]] Task task_called(const std::string& word);

/// What of an exercise is not written yet, a line each, "README.md:7: TO WRITE why it matters":
/// places that say so, sections without a text, folders that must not be empty.
[[nodiscard]] std::vector<std::string> unwritten_parts(const Exercise& exercise);

}  // namespace watchlab::course
