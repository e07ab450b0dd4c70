#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "exercises/programs/exercise.hpp"

/// What students must not see; bundles are searched for it.
namespace watchlab::course {

/// A line without blanks at its ends.
[[nodiscard]] std::string_view trimmed(std::string_view line);

/// Of an exercise, the texts that students read: those of its own folder, in all languages.
[[nodiscard]] std::vector<std::filesystem::path> texts_of(const Exercise& exercise);

/// What must not appear in the files for students: names of defects and of the instructor's tests,
/// the texts of hidden defects, and each longer line of solutions, weaker suites, hidden tests,
/// right answers and sources of variants, unless a file that students may see contains it too.
[[nodiscard]] std::vector<std::string> secrets_of(const Exercise& exercise,
                                                  const std::filesystem::path& instructor);

/// The places in a folder that contain a secret, in texts and in programs: "FILE shows SECRET".
/// Empty when there is none.
[[nodiscard]] std::vector<std::string> leaks_of(const std::filesystem::path& folder,
                                                const std::vector<std::string>& secrets);

}  // namespace watchlab::course
