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

/// What a bundle is of.
struct BundleContents {
  std::vector<Exercise> exercises;
  std::vector<ExerciseSet> sets;  ///< whose pages come with it; their exercises are among the above
};

/// Writes what students get into the empty folder `out`: the program, the libraries and headers,
/// and of each exercise what they may see. Variants are there as built libraries under neutral
/// names; solutions, hidden tests, hidden defects and the sources of all variants stay behind. It
/// works where it lies, wherever the same system libraries are. It is made beside `out`, and takes
/// its place when it is whole. Throws `BadInput`.
void write_bundle(const Toolchain& toolchain, const BundleContents& contents,
                  const std::filesystem::path& out,
                  const std::function<void(std::string_view)>& notify);

/// Where a bundle is made that becomes `out`; what lies there is none yet. Throws `BadInput` when
/// it cannot become one.
[[nodiscard]] std::filesystem::path unfinished_bundle(const std::filesystem::path& out);

}  // namespace watchlab::course
