#include <algorithm>
#include <array>
#include <string>

#include "tests/tidy/checks.hpp"

namespace watchlab::tidy {

namespace {

constexpr std::array kRowsOfThisTree{
    Catalogue{"sim/faults/", ".cpp", "std::vector<FaultEntry> *()",
              "sim/faults/fault_catalogue.cpp"},
    Catalogue{"sim/explore/", "_strategy.hpp", "", "docs/strategies.md"},
    Catalogue{"scenarios/", ".yaml", "apiVersion: watchlab/", "docs/scenarios.md",
              "WATCHLAB_REFRESH=1 ./dev test scenario_page_test"},
    Catalogue{"tests/lanes/", ".sh", "# *", "docs/lanes.md"},
    Catalogue{"docs/decisions/", ".md", "# ", "docs/decisions/README.md"},
};

/// Whether `source` is a part of an exercise: those are built by the program that grades them.
bool is_of_an_exercise(const Tree& tree, const Source& source) {
  for (std::size_t slash = source.path().rfind('/'); slash != std::string::npos && slash > 0;
       slash = source.path().rfind('/', slash - 1)) {
    if (find(tree, source.path().substr(0, slash) + "/exercise.yaml") != nullptr) {
      return true;
    }
  }
  return false;
}

/// Whether the meson.build of a folder above `source` names it: 'store.cpp', 'cache/store.cpp'. The
/// tidy test itself stands above its checks.
bool is_built(const Tree& tree, const Source& source) {
  if (source.path() == "tests/tidy_test.cpp" || is_of_an_exercise(tree, source)) {
    return true;
  }
  for (std::size_t slash = source.path().rfind('/'); slash != std::string::npos;
       slash = slash == 0 ? std::string::npos : source.path().rfind('/', slash - 1)) {
    const Source* list = find(tree, source.path().substr(0, slash + 1) + "meson.build");
    const std::string name = "'" + source.path().substr(slash + 1) + "'";
    if (list != nullptr && list->text().find(name) != std::string::npos) {
      return true;
    }
  }
  return false;
}

/// The name of what `source` adds to the catalogue; empty if it adds nothing.
std::string member_of(const Catalogue& row, const Source& source) {
  if (!source.in(row.folder) || !source.path().ends_with(row.ending) || source.path() == row.page) {
    return "";
  }
  const std::string name = source.path().substr(source.path().rfind('/') + 1);
  const std::string member = name.substr(0, name.size() - row.ending.size());
  std::string marker(row.marker);
  if (const std::size_t star = marker.find('*'); star != std::string::npos) {
    marker.replace(star, 1, member);
  }
  return source.text().find(marker) == std::string::npos ? "" : member;
}

std::string advice_for(const Catalogue& row) {
  return row.refresh.empty()
             ? "add a row to " + std::string(row.page)
             : "write its row of " + std::string(row.page) + " with: " + std::string(row.refresh);
}

}  // namespace

std::span<const Catalogue> catalogues() { return kRowsOfThisTree; }

Problems check_build_lists(const Tree& tree) {
  Problems problems;
  for (const Source& source : tree) {
    if (source.is_cpp() && !is_of_an_exercise(tree, source) && !is_built(tree, source)) {
      problems.push_back(
          {source.path(), 1, "stands in no list; add it to " + source.folder() + "/meson.build"});
    }
  }
  return problems;
}

Problems check_catalogues(const Tree& tree, std::span<const Catalogue> rows) {
  Problems problems;
  for (const Catalogue& row : rows) {
    const Source* page = find(tree, row.page);
    for (const Source& source : tree) {
      const std::string member = member_of(row, source);
      if (!member.empty() && (page == nullptr || find_word(page->text(), member).empty())) {
        problems.push_back({source.path(), 1, "is not in its catalogue; " + advice_for(row)});
      }
    }
  }
  return problems;
}

}  // namespace watchlab::tidy
