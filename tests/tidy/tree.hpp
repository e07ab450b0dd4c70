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

/// A problem that is allowed to stand for now, because fixing it is a larger work.
struct Exception {
  std::string_view path;
  std::string_view message;  ///< the beginning of the problem
  std::string_view reason;
};

/// Takes the allowed problems away. An exception that allows nothing any more is itself a
/// problem, so that the list only shrinks.
[[nodiscard]] Problems without_exceptions(Problems problems,
                                          const std::vector<Exception>& exceptions);

}  // namespace watchlab::tidy
