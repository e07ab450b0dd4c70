#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "exercises/programs/exercise.hpp"
#include "exercises/programs/toolchain.hpp"

namespace watchlab::course {

class Stamp;

/// What a variant of the library under test is for.
enum class Pool : std::uint8_t {
  Correct,  ///< every valid test accepts it
  Shown,    ///< a defect that students can test against at home
  Hidden,   ///< a defect that counts when it is graded
};

/// "correct", "shown" or "hidden", which are also the names of their folders.
[[nodiscard]] std::string to_string(Pool pool);

/// One library that an exercise's tests meet: a file of `variants/`, or a folder of built libraries
/// in a student's bundle. docs/exercises.md explains the descriptions.
struct Variant {
  std::string id;
  Pool pool = Pool::Correct;
  std::filesystem::path source;  ///< the .cpp, .go or .patch; "" in a bundle
  /// The folder with its libraries, or the program of a controller; "" before it is built.
  std::filesystem::path built;
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

/// How many defects count when it is graded that students are not shown; 0 where it is not known.
[[nodiscard]] std::size_t defects_not_shown(const Exercise& exercise);

/// Builds the variants of an exercise out of the repository, into the build tree, those that are
/// not up to date there. Patches over core go through tests/variants/variant.py, which compiles
/// what they touch and nothing else. Instructors' files: nothing here is contained.
class VariantBuilder {
 public:
  /// `notify` receives a line for each variant that has to be built, which does not name it.
  using Listener = std::function<void(std::string_view)>;

  VariantBuilder(const Toolchain& toolchain, const Exercise& exercise, Listener notify);

  /// Sets `built` of each. Throws `BadInput` when a patch does not apply or something does not
  /// compile. In a bundle, where they are built already, only looks that they are there.
  void build(std::vector<Variant>& variants);

 private:
  void build_all(const std::vector<Variant*>& variants, const std::vector<Variant>& all);
  void build_one(const Variant& variant, const std::vector<Variant>& all, std::size_t worker);
  [[nodiscard]] Stamp stamp_of(const Variant& variant, const std::vector<Variant>& all) const;
  /// `headers` is a folder of headers that take the place of the tree's; "" for none.
  void build_source(const Variant& variant, const std::filesystem::path& source,
                    const std::filesystem::path& headers = {});
  void build_patched_subject(const Variant& variant, std::string_view patch);
  [[nodiscard]] std::string fingerprint(const Variant& variant,
                                        const std::vector<Variant>& all) const;

  const Toolchain& toolchain_;
  const Exercise& exercise_;
  Listener notify_;
};

/// The first file that a unified diff changes, from the root; "" when it names none.
[[nodiscard]] std::string patched_file(std::string_view patch);

/// Builds the libraries that a patch over core or sim changes, into `folder`. Callers at the same
/// time have different numbers. Throws `BadInput`.
void build_patched_libraries(const Toolchain& toolchain, const std::filesystem::path& patch,
                             const std::filesystem::path& folder, std::size_t worker = 0);

}  // namespace watchlab::course
