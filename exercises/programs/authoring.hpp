#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "exercises/programs/exercise.hpp"

/// What authors are helped with who are at work on an exercise. Nothing here builds.
namespace watchlab::course {

/// What of an exercise is not written yet, a line each, "README.md:7: TO WRITE why it matters":
/// places that say so, sections without a text, folders that must not be empty, and what is seldom
/// meant: locks of the standard library, a size that is not the solution's, a clause that is none.
[[nodiscard]] std::vector<std::string> unwritten_parts(const Exercise& exercise);

/// A defect that is to become a patch.
struct NewDefect {
  std::string name;     ///< "shown/loses_a_key" or "hidden/…"
  std::string clause;   ///< "C9"
  std::string symptom;  ///< one line
  std::string hint;     ///< one line; "" for none
};

/// Makes variants/NAME.patch from variants/NAME.cpp, a copy of a correct variant that was broken,
/// and takes the copy away. The patch is of the correct variant that differs in the fewest lines.
/// Gives the path of the patch. Throws `BadInput`.
[[nodiscard]] std::filesystem::path make_defect(const Exercise& exercise, const NewDefect& defect);

}  // namespace watchlab::course
