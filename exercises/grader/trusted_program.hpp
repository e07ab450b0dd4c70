#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "exercises/grader/workplace.hpp"

namespace watchlab::course {

/// Builds a test program out of the course's own files, into the build tree, unless it is up to
/// date there: `name` tells those of an exercise apart. The library under test is not known yet, so
/// what the program needs of it is looked for when it starts. Returns the program. In a bundle it
/// is there already. Throws `BadInput` when it does not compile.
[[nodiscard]] std::filesystem::path trusted_program(
    const Workplace& place, const std::string& name,
    const std::vector<std::filesystem::path>& files);

}  // namespace watchlab::course
