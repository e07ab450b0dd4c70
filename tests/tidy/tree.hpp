#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tests/tidy/source.hpp"

namespace watchlab::tidy {

/// Reads the text files of the checkout below `root`: sources, scripts, pages, build files,
/// stories. Leaves out `build`, hidden folders except .ci, and files of other kinds.
[[nodiscard]] Tree read_tree(const std::filesystem::path& root);

/// What the checks say about a planted tree, a line each: "path:line: message". For the tests.
[[nodiscard]] inline std::string said(const Problems& problems) {
  std::string text;
  for (const Problem& problem : problems) {
    text += problem.path + ":" + std::to_string(problem.line) + ": " + problem.message + "\n";
  }
  return text;
}

}  // namespace watchlab::tidy
