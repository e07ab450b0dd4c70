#pragma once

#include <filesystem>
#include <functional>
#include <string_view>
#include <vector>

#include "exercises/grader/exercise.hpp"
#include "exercises/grader/toolchain.hpp"

namespace watchlab::course {

/// Writes what students get into the empty folder `out`: the program, the libraries and headers,
/// and of each exercise what they may see. Variants are there as built libraries under neutral
/// names; solutions, hidden tests, hidden defects and the sources of all variants stay behind. It
/// works where it lies, for whoever has the same system libraries. Throws `BadInput`.
void write_bundle(const Toolchain& toolchain, const std::vector<Exercise>& exercises,
                  const std::filesystem::path& out,
                  const std::function<void(std::string_view)>& tell);

}  // namespace watchlab::course
