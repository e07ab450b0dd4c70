#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace watchlab::course {

/// How a program of the machine ended.
struct ProcessEnd {
  int status = 0;  ///< its exit status; 128 and the signal's number when one ended it
  std::string output;
};

/// Runs a trusted program in `folder` with this program's environment, and waits for it. Throws
/// `std::runtime_error` when it cannot be started.
[[nodiscard]] ProcessEnd run_plainly(const std::vector<std::string>& words,
                                     const std::filesystem::path& folder);

}  // namespace watchlab::course
