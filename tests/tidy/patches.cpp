#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "tests/tidy/checks.hpp"

namespace watchlab::tidy {

namespace {

/// What one part of a patch expects to find.
struct Hunk {
  std::string file;
  std::size_t line = 0;  ///< of the patch
  std::vector<std::string_view> before;
};

std::vector<Hunk> hunks_of(const Source& patch) {
  constexpr std::string_view names_file = "+++ b/";
  std::vector<Hunk> hunks;
  std::string file;
  bool inside = false;
  for (std::size_t i = 0; i < patch.lines().size(); ++i) {
    const std::string_view line = patch.lines()[i];
    if (line.starts_with("--- a/")) {
      inside = false;
    } else if (line.starts_with(names_file)) {
      file = line.substr(names_file.size());
    } else if (line.starts_with("@@ ")) {
      inside = true;
      hunks.push_back({.file = file, .line = i + 1, .before = {}});
    } else if (inside && (line.starts_with(' ') || line.starts_with('-'))) {
      hunks.back().before.push_back(line.substr(1));
    }
  }
  return hunks;
}

}  // namespace

Problems check_patches(const Tree& tree) {
  Problems problems;
  for (const Source& patch : tree) {
    if (!patch.path().ends_with(".patch")) {
      continue;
    }
    for (const Hunk& hunk : hunks_of(patch)) {
      const Source* file = find(tree, hunk.file);
      if (file == nullptr) {
        problems.push_back(
            {patch.path(), hunk.line, "changes " + hunk.file + ", which is no file"});
        continue;
      }
      const auto stands = std::ranges::search(file->lines(), hunk.before);
      if (stands.empty()) {
        problems.push_back({patch.path(), hunk.line,
                            "no longer applies: " + hunk.file + " has changed where this stood"});
      } else if (const std::ranges::subrange rest(stands.begin() + 1, file->lines().end());
                 !std::ranges::search(rest, hunk.before).empty()) {
        problems.push_back({patch.path(), hunk.line,
                            "could apply in two places of " + hunk.file + ": add lines around it"});
      }
    }
  }
  return problems;
}

}  // namespace watchlab::tidy
