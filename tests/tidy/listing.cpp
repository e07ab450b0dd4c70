#include "tests/tidy/checks.hpp"

namespace watchlab::tidy {

namespace {

/// Whether a folder above `source` is an exercise, which is built by the program that grades it, or
/// has a meson.build that names the file: 'store.cpp', 'cache/store.cpp'.
bool is_built(const Tree& tree, const Source& source) {
  for (std::size_t slash = source.path().rfind('/'); slash != std::string::npos;
       slash = slash == 0 ? std::string::npos : source.path().rfind('/', slash - 1)) {
    const std::string folder = source.path().substr(0, slash + 1);
    const Source* list = find(tree, folder + "meson.build");
    const std::string name = "'" + source.path().substr(slash + 1) + "'";
    if (find(tree, folder + "exercise.yaml") != nullptr ||
        (list != nullptr && list->text().find(name) != std::string::npos)) {
      return true;
    }
  }
  return false;
}

}  // namespace

Problems check_build_lists(const Tree& tree) {
  Problems problems;
  for (const Source& source : tree) {
    if (source.is_cpp() && source.path() != "tests/tidy_test.cpp" && !is_built(tree, source)) {
      problems.push_back(
          {source.path(), 1, "stands in no list; add it to " + source.folder() + "/meson.build"});
    }
  }
  return problems;
}

}  // namespace watchlab::tidy
