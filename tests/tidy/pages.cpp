#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/tidy/checks.hpp"

namespace watchlab::tidy {

namespace {

constexpr std::string_view kFence = "```";

bool is_there(const Tree& tree, const std::string& path) {
  return path == "LICENSE" || path.ends_with(".svg") || path.ends_with(".html") ||
         std::ranges::any_of(tree, [&path](const Source& source) {
           return source.path() == path || source.in(path.ends_with('/') ? path : path + "/");
         });
}

/// `docs/serve.md` in the text of a page, a comment or a message.
void check_named_pages(const Tree& tree, const Source& source, Problems& problems) {
  constexpr std::string_view kBegin = "docs/";
  constexpr std::string_view kEnd = ".md";
  const std::string& text = source.text();
  for (std::size_t at = text.find(kBegin); at != std::string::npos;
       at = text.find(kBegin, at + 1)) {
    std::size_t end = at;
    while (end < text.size() && (is_word_char(text[end]) || text[end] == '/' || text[end] == '-')) {
      ++end;
    }
    const bool is_whole = at == 0 || (!is_word_char(text[at - 1]) && text[at - 1] != '/' &&
                                      text[at - 1] != '.' && text[at - 1] != '-');
    const std::string path = text.substr(at, end - at) + std::string(kEnd);
    if (is_whole && text.compare(end, kEnd.size(), kEnd) == 0 && find(tree, path) == nullptr) {
      problems.push_back(
          {source.path(), source.line_of(at), "names " + path + ", which is not there"});
    }
  }
}

void check_links(const Tree& tree, const Source& page, Problems& problems) {
  bool in_sample = false;
  for (std::size_t i = 0; i < page.lines().size(); ++i) {
    const std::string_view line = page.lines()[i];
    in_sample ^= line.starts_with(kFence);
    for (std::size_t at = line.find("]("); !in_sample && at != line.npos;
         at = line.find("](", at + 1)) {
      const std::string target(line.substr(at + 2, line.find_first_of(") #", at + 2) - at - 2));
      const std::string path =
          (std::filesystem::path(page.folder()) / target).lexically_normal().generic_string();
      if (!target.empty() && target.find("://") == std::string::npos && !is_there(tree, path)) {
        problems.push_back({page.path(), i + 1, "links to " + path + ", which is not there"});
      }
    }
  }
}

/// "suite" and "suite/case" of all tests, as their macros stand one after another in a file.
std::set<std::string> tests_of(const Tree& tree) {
  constexpr std::string_view kSuite = "_TEST_SUITE(";
  constexpr std::string_view kCase = "_TEST_CASE(";
  std::set<std::string> tests;
  for (const Source& source : tree) {
    const std::string_view code = source.code();
    std::string suite;
    for (std::size_t at = code.find("_TEST_"); at != code.npos; at = code.find("_TEST_", at + 1)) {
      const std::string_view macro = code.substr(at).starts_with(kSuite) ? kSuite : kCase;
      const std::size_t begin = code.find_first_not_of(" \n", at + macro.size());
      if (!code.substr(at).starts_with(macro) || begin == code.npos) {
        continue;
      }
      std::size_t end = begin;
      while (end < code.size() && is_word_char(code[end])) {
        ++end;
      }
      const std::string name(code.substr(begin, end - begin));
      suite = macro == kSuite ? name : suite;
      tests.insert(macro == kSuite ? name : suite + "/" + name);
    }
  }
  return tests;
}

/// A word between backticks that ends in `_test`, or has `_test/` in it, is a test of this tree.
void check_named_tests(const std::set<std::string>& tests, const Source& page, Problems& problems) {
  for (std::size_t i = 0; i < page.lines().size(); ++i) {
    const std::string_view line = page.lines()[i];
    for (std::size_t at = line.find('`'); at != line.npos;) {
      const std::size_t end = std::min(line.find('`', at + 1), line.size());
      const std::string word(line.substr(at + 1, end - at - 1));
      const bool is_name = std::ranges::all_of(
          word, [](char letter) { return is_word_char(letter) || letter == '/'; });
      if (is_name && word.substr(0, word.find('/')).ends_with("_test") && !tests.contains(word)) {
        problems.push_back({page.path(), i + 1, "names " + word + ", which is no test"});
      }
      at = end == line.size() ? line.npos : line.find('`', end + 1);
    }
  }
}

void check_quotations(const Tree& tree, const Source& page, Problems& problems) {
  constexpr std::string_view kOpening = "<!-- from ";
  constexpr std::string_view kClosing = " -->";
  const auto& lines = page.lines();
  const auto is_fence = [](std::string_view line) { return line.starts_with(kFence); };
  for (auto line = lines.begin(); line != lines.end(); ++line) {
    if (!line->starts_with(kOpening) || !line->ends_with(kClosing)) {
      continue;
    }
    const std::string_view path =
        line->substr(kOpening.size(), line->size() - kOpening.size() - kClosing.size());
    const Source* const file = find(tree, path);
    const auto fence = std::find_if(line, lines.end(), is_fence);
    const auto begin = fence == lines.end() ? fence : fence + 1;
    const std::vector<std::string_view> block(begin, std::find_if(begin, lines.end(), is_fence));
    if (file == nullptr || block.empty() || std::ranges::search(file->lines(), block).empty()) {
      problems.push_back({page.path(), static_cast<std::size_t>(line - lines.begin()) + 1,
                          "what is quoted does not stand so in " + std::string(path)});
    }
  }
}

/// Pages and patches that say which test shows a thing.
bool names_tests(const Source& source) {
  return source.path() == "docs/port_map.md" || source.path() == "docs/known_live.md" ||
         source.path() == "docs/original_tests.md" || source.in("tests/fixes/");
}

}  // namespace

Problems check_pages(const Tree& tree) {
  Problems problems;
  const std::set<std::string> tests = tests_of(tree);
  for (const Source& source : tree) {
    if (source.in("tests/tidy/")) {
      continue;  // planted trees
    }
    check_named_pages(tree, source, problems);
    if (names_tests(source)) {
      check_named_tests(tests, source, problems);
    }
    if (source.path().ends_with(".md")) {
      check_links(tree, source, problems);
      check_quotations(tree, source, problems);
    }
  }
  return problems;
}

}  // namespace watchlab::tidy
