#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/tidy/checks.hpp"

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

void check_hunk(const Tree& tree, const Source& patch, const Hunk& hunk, Problems& problems) {
  const Source* file = find(tree, hunk.file);
  if (file == nullptr) {
    problems.push_back({patch.path(), hunk.line, "changes " + hunk.file + ", which is no file"});
  } else if (std::ranges::search(file->lines(), hunk.before).empty()) {
    problems.push_back({patch.path(), hunk.line,
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

void check_fix(const Tree& tree, const Source& patch, Problems& problems) {
  for (const std::string_view word : {"Fixes: ", "Shown-by: ", "Killed-by: "}) {
    if (!said_by(patch, word)) {
      problems.push_back({patch.path(), 1, "has no line `" + std::string(word) + "…`"});
    }
  }
  const Source* page = find(tree, "docs/known_live.md");
  if (page == nullptr || page->text().find("`" + patch.stem() + "`") == std::string::npos) {
    problems.push_back({patch.path(), 1, "is not named by docs/known_live.md"});
  }
}

constexpr std::string_view kHunted = "tests/mutants/hunted.txt";
constexpr std::string_view kUnhunted = "tests/mutants/unhunted.txt";
/// Why the fuzzer is not expected to find a mutant; the list says what each word means.
constexpr std::array<std::string_view, 4> kKinds{"lawful", "undriven", "equal", "unseen"};

/// What is wrong with the words after the name of a mutant; nothing when they say why it is there.
std::string wrong_words(std::string_view list, std::string_view name, std::string_view words) {
  if (list == kHunted) {
    return words.empty() ? "does not say which clause " + std::string(name) + " breaks" : "";
  }
  const std::size_t end = words.find(' ');
  if (std::ranges::find(kKinds, words.substr(0, end)) == kKinds.end()) {
    return "says neither lawful, undriven, equal nor unseen of " + std::string(name);
  }
  return end == std::string_view::npos ? "gives no reason for " + std::string(name) : "";
}

/// A list of mutants of core, each with what it breaks or why it is not found. Returns their names.
std::set<std::string> check_list(const Tree& tree, const Source& list, Problems& problems) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < list.lines().size(); ++i) {
    const std::string_view line = list.lines()[i];
    if (line.empty() || line.starts_with('#')) {
      continue;
    }
    const std::size_t end = std::min(line.find(' '), line.size());
    const std::string name(line.substr(0, end));
    std::string problem =
        find(tree, "tests/mutants/" + name + ".patch") == nullptr
            ? "names " + name + ", which is no mutant"
            : wrong_words(list.path(), name, line.substr(std::min(end + 1, line.size())));
    if (problem.empty() && !names.insert(name).second) {
      problem = "names " + name + " twice";
    }
    if (!problem.empty()) {
      problems.push_back({list.path(), i + 1, problem});
    }
  }
  return names;
}

/// Each mutant of core is hunted, or it is said why not.
void check_account(const Tree& tree, Problems& problems) {
  const Source* hunted = find(tree, std::string(kHunted));
  const Source* unhunted = find(tree, std::string(kUnhunted));
  if (hunted == nullptr || unhunted == nullptr) {
    return;
  }
  const std::set<std::string> found = check_list(tree, *hunted, problems);
  const std::set<std::string> excused = check_list(tree, *unhunted, problems);
  for (const Source& source : tree) {
    if (!source.in("tests/mutants/core/") || !source.path().ends_with(".patch")) {
      continue;
    }
    const std::string name = "core/" + source.stem();
    const bool is_found = found.contains(name);
    if (is_found == excused.contains(name)) {
      problems.push_back({source.path(), 1,
                          std::string(is_found ? "is in both" : "is in neither") +
                              " of hunted.txt and unhunted.txt"});
    }
  }
}

}  // namespace

Problems check_patches(const Tree& tree) {
  Problems problems;
  check_account(tree, problems);
  for (const Source& source : tree) {
    if (!source.path().ends_with(".patch")) {
      continue;
    }
    for (const Hunk& hunk : hunks_of(source)) {
      check_hunk(tree, source, hunk, problems);
    }
    if (source.in("tests/fixes/")) {
      check_fix(tree, source, problems);
    }
  }
  return problems;
}

}  // namespace watchlab::tidy
