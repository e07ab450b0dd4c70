#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "exercises/grader/exercise.hpp"

namespace watchlab::course {

/// What a variant of the library under test is for.
enum class Pool : std::uint8_t {
  Correct,  ///< every valid test accepts it
  Shown,    ///< a defect that students can test against at home
  Hidden,   ///< a defect that counts when it is graded
};

/// "correct", "shown" or "hidden", which are also the names of their folders.
[[nodiscard]] std::string word_for(Pool pool);

/// One library that an exercise's tests meet: a file of `variants/`, or a folder of built libraries
/// in a student's bundle. docs/exercises.md explains the descriptions.
struct Variant {
  std::string id;
  Pool pool = Pool::Correct;
  std::filesystem::path source;  ///< the .cpp or .patch; "" in a bundle
  std::filesystem::path built;   ///< the folder with its libraries; "" before it is built
  std::string clause;
  std::string symptom;
  std::string hint;
  std::string of;  ///< the correct variant that a patch is run with
  std::string breaks;
  double weight = 1;

  [[nodiscard]] bool is_patch() const { return source.extension() == ".patch"; }
};

/// The lines `Key: value` on top of a variant's file, put into `variant`; a source may have other
/// lines of comment between them. Throws `BadInput` for what is no such line in a patch, and for
/// what a defect must say and does not.
void read_description(Variant& variant, std::string_view text);

/// The variants of an exercise, correct ones first, each pool by name. In a bundle those that it
/// has. `hidden` is the folder of hidden defects, which an instructor may keep elsewhere; "" leaves
/// them out. Throws `BadInput`.
[[nodiscard]] std::vector<Variant> read_variants(const Exercise& exercise,
                                                 const std::filesystem::path& hidden);

}  // namespace watchlab::course
