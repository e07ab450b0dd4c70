#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>

#include "tests/tidy/checks.hpp"

namespace watchlab::tidy {

namespace {

constexpr std::string_view kPage = "docs/architecture.md";
constexpr std::string_view kTitle = "## Where is";

/// What stands between the last `before` and the next `after` of a cell; empty without them.
std::string between(std::string_view cell, std::string_view before, std::string_view after) {
  const std::size_t at = cell.find(before);
  const std::size_t end = at == cell.npos ? at : cell.find(after, at + before.size());
  return end == cell.npos ? ""
                          : std::string(cell.substr(at + before.size(), end - at - before.size()));
}

/// Whether `source` has `name` with parameters behind it.
bool has_function(const Source& source, const std::string& name) {
  return !name.empty() && std::ranges::any_of(find_word(source.code(), name), [&](std::size_t at) {
    return source.code().substr(at + name.size()).starts_with('(');
  });
}

void check_answer(const Tree& tree, const std::string& path, const std::string& function,
                  Problem problem, Problems& problems) {
  const Source* const source = find(tree, path);
  if (source == nullptr) {
    problem.message = "answers with " + path + ", which is not there";
    problems.push_back(problem);
  } else if (!has_function(*source, function)) {
    problem.message = "answers with a function " + function + ", which " + path + " has not";
    problems.push_back(problem);
  }
}

}  // namespace

Problems check_map(const Tree& tree) {
  Problems problems;
  const Source* const page = find(tree, kPage);
  bool inside = false;
  for (std::size_t i = 0; page != nullptr && i < page->lines().size(); ++i) {
    const std::string_view line = page->lines()[i];
    inside = line.starts_with("## ") ? line.starts_with(kTitle) : inside;
    const std::string link = between(line, "](", ")");
    if (inside && line.starts_with("| ") && !link.empty()) {
      const auto path = (std::filesystem::path(page->folder()) / link).lexically_normal();
      check_answer(tree, path.generic_string(), between(line, "| `", "` |"),
                   {page->path(), i + 1, ""}, problems);
    }
  }
  return problems;
}

}  // namespace watchlab::tidy
