#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "exercises/grader/workplace.hpp"

namespace watchlab::course {

/// Builds a program that judges a student's library out of the course's own files and the
/// exercise's `remote.cpp`, into the build tree, unless it is up to date there: `name` tells those
/// of an exercise apart. Returns the program. In a bundle it is there already. Throws `BadInput`
/// when it does not compile.
[[nodiscard]] std::filesystem::path trusted_program(const Workplace& place, const std::string& name,
                                                    std::vector<std::filesystem::path> files);

/// The same for what runs the student's library: a library itself, which `suite_program` loads, and
/// which is linked with whatever student's library it finds then.
[[nodiscard]] std::filesystem::path library_host(const Workplace& place);

}  // namespace watchlab::course
