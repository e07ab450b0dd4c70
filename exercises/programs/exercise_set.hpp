#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "exercises/programs/exercise.hpp"

namespace watchlab::course {

/// Exercises that are handed out together and have one score: a folder with homework.yaml and a
/// README.md. docs/exercises.md describes it.
struct ExerciseSet {
  /// One of them.
  struct Part {
    std::string id;
    std::int64_t points = 0;  ///< of the set's score
  };

  std::filesystem::path folder;
  std::string id;  ///< "trio": no exercise is called like it
  std::string title;
  std::vector<Part> parts;

  [[nodiscard]] double points_max() const;
};

/// All sets below a folder, by the names of their folders. Throws `BadInput` with file:line:column,
/// also for a part that is not among `exercises`.
[[nodiscard]] std::vector<ExerciseSet> read_exercise_sets(const std::filesystem::path& folder,
                                                          const std::vector<Exercise>& exercises);

/// By its id, whatever the case of letters; null when there is none.
[[nodiscard]] const ExerciseSet* find_set(const std::vector<ExerciseSet>& sets,
                                          std::string_view name);

}  // namespace watchlab::course
