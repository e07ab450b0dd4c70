#include "tests/tidy/patches.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace watchlab::tidy {

namespace {

using Lines = std::vector<std::string_view>;

/// What one part of a patch expects to find.
struct Hunk {
  std::string file;
  std::size_t line = 0;  ///< of the patch
  Lines before;
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

void check_hunk(const Tree& tree, const Source& patch, const Hunk& hunk, Complaints& complaints) {
  const Source* file = find(tree, hunk.file);
  if (file == nullptr) {
    complaints.push_back({patch.path(), hunk.line, "changes " + hunk.file + ", which is no file"});
  } else if (std::ranges::search(file->lines(), hunk.before).empty()) {
    complaints.push_back({patch.path(), hunk.line,
                          "no longer applies: " + hunk.file + " has changed where this stood"});
  }
}

/// What the first line that begins with `word` says; nothing without one.
std::optional<std::string_view> said_by(const Source& patch, std::string_view word) {
  for (const std::string_view line : patch.lines()) {
    if (line.starts_with(word)) {
      return line.substr(word.size());
    }
  }
  return std::nullopt;
}

void check_mend(const Tree& tree, const Source& patch, Complaints& complaints) {
  for (const std::string_view word : {"Mends: ", "Shown-by: ", "Killed-by: "}) {
    if (!said_by(patch, word)) {
      complaints.push_back({patch.path(), 1, "has no line `" + std::string(word) + "…`"});
    }
  }
  const Source* page = find(tree, "docs/known_live.md");
  if (page == nullptr || page->text().find("`" + patch.stem() + "`") == std::string::npos) {
    complaints.push_back({patch.path(), 1, "is not named by docs/known_live.md"});
  }
}

/// The list of those that the fuzzer looks for: a mutant and a clause each.
void check_hunted(const Tree& tree, const Source& list, Complaints& complaints) {
  for (std::size_t i = 0; i < list.lines().size(); ++i) {
    const std::string_view line = list.lines()[i];
    if (line.empty() || line.starts_with('#')) {
      continue;
    }
    const std::string name(line.substr(0, line.find(' ')));
    if (find(tree, "tests/mutants/" + name + ".patch") == nullptr) {
      complaints.push_back({list.path(), i + 1, "names " + name + ", which is no mutant"});
    } else if (name.size() == line.size()) {
      complaints.push_back({list.path(), i + 1, "does not say which clause " + name + " breaks"});
    }
  }
}

}  // namespace

Complaints check_patches(const Tree& tree) {
  Complaints complaints;
  for (const Source& source : tree) {
    if (source.path() == "tests/mutants/hunted.txt") {
      check_hunted(tree, source, complaints);
    }
    if (!source.path().ends_with(".patch")) {
      continue;
    }
    for (const Hunk& hunk : hunks_of(source)) {
      check_hunk(tree, source, hunk, complaints);
    }
    if (source.in("tests/mends/")) {
      check_mend(tree, source, complaints);
    }
  }
  return complaints;
}

}  // namespace watchlab::tidy
