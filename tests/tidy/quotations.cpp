#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "tests/tidy/checks.hpp"

namespace watchlab::tidy {

namespace {

constexpr std::string_view kOpening = "<!-- from ";
constexpr std::string_view kClosing = " -->";
constexpr std::string_view kFence = "```";

using Lines = std::vector<std::string_view>;

/// The lines between the fences that follow line `at`.
Lines block_after(const Lines& lines, std::size_t at) {
  const auto is_fence = [](std::string_view line) { return line.starts_with(kFence); };
  const auto begin =
      std::find_if(lines.begin() + static_cast<std::ptrdiff_t>(at), lines.end(), is_fence);
  if (begin == lines.end()) {
    return {};
  }
  return {begin + 1, std::find_if(begin + 1, lines.end(), is_fence)};
}

}  // namespace

Problems check_quotations(const Tree& tree) {
  Problems problems;
  for (const Source& page : tree) {
    const Lines& lines = page.lines();
    for (std::size_t i = 0; page.path().ends_with(".md") && i < lines.size(); ++i) {
      if (!lines[i].starts_with(kOpening) || !lines[i].ends_with(kClosing)) {
        continue;
      }
      const std::string_view path =
          lines[i].substr(kOpening.size(), lines[i].size() - kOpening.size() - kClosing.size());
      const auto file = std::ranges::find(tree, path, &Source::path);
      const Lines block = block_after(lines, i);
      if (file == tree.end()) {
        problems.push_back({page.path(), i + 1, "quotes " + std::string(path) + ", no file"});
      } else if (block.empty() || std::ranges::search(file->lines(), block).empty()) {
        problems.push_back(
            {page.path(), i + 1, "what is quoted does not stand so in " + std::string(path)});
      }
    }
  }
  return problems;
}

}  // namespace watchlab::tidy
