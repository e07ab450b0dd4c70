#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "exercises/grader/exercise.hpp"

namespace watchlab::course {

/// What of an exercise must not stand in what students get: names of defects and of the
/// instructor's tests, what hidden defects say of themselves, and each longer line of solutions,
/// weaker suites, hidden tests, right answers and sources of variants, unless it stands in a file
/// that students may see as well.
[[nodiscard]] std::vector<std::string> secrets_of(const Exercise& exercise,
                                                  const std::filesystem::path& instructor);

/// The places of a folder where a secret stands, in texts and in programs alike: "FILE tells
/// SECRET". Empty when there is none.
[[nodiscard]] std::vector<std::string> leaks_of(const std::filesystem::path& folder,
                                                const std::vector<std::string>& secrets);

}  // namespace watchlab::course
