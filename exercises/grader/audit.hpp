#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "exercises/programs/stage.hpp"

namespace watchlab::course {

/// What an exercise's own tests make of libraries that a machine has broken: a third pool of
/// defects, for authors alone. It is never graded: many change nothing that is promised.
struct Audit {
  std::size_t noticed = 0;
  std::size_t refused = 0;            ///< by the compiler
  std::vector<std::string> survived;  ///< "variants/correct/first.cpp:23: x < y -> x <= y"
};

/// Breaks the correct variant that offers most in one small way after the other, `most` in all,
/// evenly over its lines, and looks whether the solution of the exercise notices; in *implement*,
/// whether its tests do. Throws `BadInput` for an exercise that has no library.
[[nodiscard]] Audit audit_exercise(const CommandContext& place,
                                   const std::filesystem::path& instructor, std::size_t most);

}  // namespace watchlab::course
