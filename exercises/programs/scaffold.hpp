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

/// The id of a new exercise in the folder `slug`: "E40" of "40-leases". Throws `BadInput` for a
/// name of another form and for an id that one of `exercises` has.
[[nodiscard]] std::string id_for_new(const std::vector<Exercise>& exercises,
                                     const std::string& slug);

/// Every task by its word, as `dev new --task` takes it.
[[nodiscard]] std::vector<std::string> names_of_tasks();
/// Throws `BadInput` for a word that is none.
[[nodiscard]] Task task_called(const std::string& word);

}  // namespace watchlab::course
