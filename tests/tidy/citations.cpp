#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

#include "tests/tidy/checks.hpp"

namespace watchlab::tidy {

namespace {

constexpr std::string_view kRules = "docs/apiserver_rules.md";

bool is_of_path(char c) { return is_word_char(c) || c == '/' || c == '.' || c == '-'; }

/// The path of a page that ends at `end` in `line`; "" for what is no path from the root.
std::string_view page_before(std::string_view line, std::size_t end) {
  std::size_t begin = end;
  while (begin > 0 && is_of_path(line[begin - 1])) {
    --begin;
  }
  const std::string_view path = line.substr(begin, end - begin);
  const bool from_root =
      path.starts_with("docs/") || path.starts_with("research/") || path.starts_with("design/");
  return from_root ? path : std::string_view();
}

/// Whether the page has a rule or a section of rules of that name.
bool has_rule(const Source& page, std::string_view name) {
  const std::string rule(name);
  return std::ranges::any_of(page.lines(), [&](std::string_view line) {
    return line.starts_with("| " + rule + " |") || line.starts_with("- **" + rule + "**") ||
           line.starts_with("## " + rule + ":");
  });
}

/// The next word of `rest` with the blanks and commas before it, taken off; "" at anything else.
std::string_view take_word(std::string_view& rest) {
  const std::size_t begin = rest.find_first_not_of(", ");
  if (begin == rest.npos) {
    return {};
  }
  std::size_t end = begin;
  while (end < rest.size() && is_word_char(rest[end])) {
    ++end;
  }
  const std::string_view word = rest.substr(begin, end - begin);
  rest.remove_prefix(end);
  return word;
}

bool is_rule(std::string_view word) {
  return !word.empty() && std::isupper(static_cast<unsigned char>(word.front())) != 0 &&
         std::all_of(word.begin() + 1, word.end(), [](unsigned char c) { return std::isdigit(c); });
}

std::string missing_rule(const Source& page, std::string_view rest) {
  for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
    if (is_rule(word) && !has_rule(page, word)) {
      return std::string(word);
    }
    if (!is_rule(word) && word != "to" && word != "and") {
      break;
    }
  }
  return "";
}

std::string wrong_with(const Tree& tree, std::string_view path, std::string_view rest) {
  const Source* const page = find(tree, path);
  if (page == nullptr) {
    return "names " + std::string(path) + ", which is not there; cite what is in the tree";
  }
  const std::string rule = path == kRules ? missing_rule(*page, rest) : "";
  return rule.empty() ? "" : "cites rule " + rule + " of " + std::string(path) + ", which has none";
}

}  // namespace

Problems check_citations(const Tree& tree) {
  constexpr std::string_view kEnding = ".md";
  Problems problems;
  for (const Source& source : tree) {
    if (source.in("tests/tidy/")) {
      continue;  // planted trees
    }
    for (std::size_t number = 0; number < source.lines().size(); ++number) {
      const std::string_view line = source.lines()[number];
      for (std::size_t at = line.find(kEnding); at != line.npos; at = line.find(kEnding, at + 1)) {
        const std::size_t end = at + kEnding.size();
        const std::string_view path = page_before(line, end);
        const std::string wrong = path.empty() ? "" : wrong_with(tree, path, line.substr(end));
        if (!wrong.empty()) {
          problems.push_back({source.path(), number + 1, wrong});
        }
      }
    }
  }
  return problems;
}

}  // namespace watchlab::tidy
