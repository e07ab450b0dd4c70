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

/// What the checks say about a planted tree, a line each: "path:line: sentence". For the tests.
[[nodiscard]] inline std::string said(const Complaints& complaints) {
  std::string text;
  for (const Complaint& complaint : complaints) {
    text +=
        complaint.path + ":" + std::to_string(complaint.line) + ": " + complaint.sentence + "\n";
  }
  return text;
}

/// A complaint that is allowed to stand for now, because fixing it is a larger work.
struct Exception {
  std::string_view path;
  std::string_view sentence;  ///< the beginning of the complaint
  std::string_view reason;
};

/// Takes the allowed complaints away. An exception that allows nothing any more is itself a
/// complaint, so that the list only shrinks.
[[nodiscard]] Complaints without_exceptions(Complaints complaints,
                                            const std::vector<Exception>& exceptions);

}  // namespace watchlab::tidy
