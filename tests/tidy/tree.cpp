#include "tests/tidy/tree.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace watchlab::tidy {
namespace {

namespace fs = std::filesystem;

bool is_hidden(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.starts_with('.') && name != ".ci";
}

/// Code of a project of its own, which is built against what is installed and has its own ways.
bool is_outside(const fs::path& path) {
  return path.parent_path().filename() == "example-project" && path.extension() != ".md";
}

bool is_text(const fs::path& path) {
  static constexpr std::array<std::string_view, 18> kEndings{
      ".cpp", ".go",    ".hpp",  ".md", ".dot", ".txt",   ".yaml", ".yml", ".json",
      ".sh",  ".patch", ".supp", ".in", ".py",  ".build", ".js",   ".mjs", ".ts"};
  const std::string name = path.filename().string();
  const bool script = path.extension().empty() && name != "LICENSE";  // watchlab, .ci/run
  return script || std::find(kEndings.begin(), kEndings.end(), path.extension()) != kEndings.end();
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

Tree read_tree(const fs::path& root) {
  Tree tree;
  for (fs::recursive_directory_iterator entry(root), end; entry != end; ++entry) {
    if (entry->is_directory()) {
      const bool is_build = entry.depth() == 0 && entry->path().filename() == "build";
      if (is_build || is_hidden(entry->path())) {
        entry.disable_recursion_pending();
      }
    } else if (entry->is_regular_file() && !is_hidden(entry->path()) && is_text(entry->path()) &&
               !is_outside(entry->path())) {
      tree.emplace_back(entry->path().lexically_relative(root).generic_string(),
                        read(entry->path()));
    }
  }
  std::sort(tree.begin(), tree.end(),
            [](const Source& a, const Source& b) { return a.path() < b.path(); });
  return tree;
}

}  // namespace watchlab::tidy
