#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "exercises/programs/stage.hpp"

namespace watchlab::course {

/// Builds a program that judges a student's library out of the course's own files and the
/// exercise's `remote.cpp`, into the build tree, unless it is up to date there: `name`
/// distinguishes those of an exercise. Returns the program. In a bundle it is there already. Throws
/// `BadInput` when it does not compile.
[[nodiscard]] std::filesystem::path trusted_program(const CommandContext& context,
                                                    const std::string& name,
                                                    std::vector<std::filesystem::path> files);

/// The same for what runs the student's library: a library itself, which `kSuiteProgram` loads, and
/// which is linked with whatever student's library it finds then.
[[nodiscard]] std::filesystem::path library_host(const CommandContext& context);

/// For suites of students: what stands for the library under test in the process of the suite
/// (`kSubjectLibrary`), made of the exercise's `remote.cpp`.
[[nodiscard]] std::filesystem::path stand_in_of_library(const CommandContext& context);

/// And what serves the library to it: a library that `kSuiteProgram` loads in a process of its own,
/// with the library under test that it finds there. An exercise's `served.cpp` belongs to it.
[[nodiscard]] std::filesystem::path server_of_library(const CommandContext& context);

}  // namespace watchlab::course
