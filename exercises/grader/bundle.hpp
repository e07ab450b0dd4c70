#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "exercises/programs/exercise.hpp"
#include "exercises/programs/exercise_set.hpp"
#include "exercises/programs/toolchain.hpp"

namespace watchlab::course {

/// What a bundle is made from.
struct BundleContents {
  std::vector<Exercise> exercises;
  std::vector<ExerciseSet> sets;  ///< whose pages come with it; their exercises are among the above
};

/// Writes what students get into the empty folder `out`: the program, the libraries and headers,
/// and those files of each exercise that they may see. It contains the variants as built libraries
/// under neutral names, but no solutions, hidden tests, hidden defects or sources of variants. It
/// works in any folder of any machine with the same system libraries. It is made beside `out` and
/// replaces `out` when it is complete. Throws `BadInput`.
void write_bundle(const Toolchain& toolchain, const BundleContents& contents,
                  const std::filesystem::path& out,
                  const std::function<void(std::string_view)>& notify);

/// The folder in which the bundle is made before it replaces `out`; its contents are not a bundle
/// yet. Throws `BadInput` when `out` cannot be replaced.
[[nodiscard]] std::filesystem::path unfinished_bundle(const std::filesystem::path& out);

}  // namespace watchlab::course
