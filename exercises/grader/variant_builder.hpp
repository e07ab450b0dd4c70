#pragma once

#include <filesystem>
#include <functional>
#include <string_view>
#include <vector>

#include "exercises/grader/exercise.hpp"
#include "exercises/grader/toolchain.hpp"
#include "exercises/grader/variant.hpp"

namespace watchlab::course {

/// Builds the variants of an exercise out of the repository, into the build tree, those that are
/// not up to date there. Patches over core go through tests/variants/variant.py, which compiles
/// what they touch and nothing else. Instructors' files: nothing here is contained.
class VariantBuilder {
 public:
  /// `tell` hears of each variant that has to be built.
  using Ear = std::function<void(std::string_view)>;

  VariantBuilder(const Toolchain& toolchain, const Exercise& exercise, Ear tell);

  /// Sets `built` of each. Throws `BadInput` when a patch does not apply or something does not
  /// compile. In a bundle, where they are built already, only looks that they are there.
  void build(std::vector<Variant>& variants);

 private:
  void build_one(Variant& variant, const std::vector<Variant>& all);
  void build_source(const Variant& variant, const std::filesystem::path& source);
  void build_patched_subject(const Variant& variant, std::string_view patch);
  [[nodiscard]] std::string fingerprint(const Variant& variant,
                                        const std::vector<Variant>& all) const;

  const Toolchain& toolchain_;
  const Exercise& exercise_;
  Ear tell_;
};

/// Builds the libraries that a patch over core or sim changes, into `folder`. Throws `BadInput`.
void build_patched_libraries(const Toolchain& toolchain, const std::filesystem::path& patch,
                             const std::filesystem::path& folder);

}  // namespace watchlab::course
