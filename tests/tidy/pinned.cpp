#include <cctype>
#include <set>
#include <string>
#include <string_view>

#include "tests/tidy/checks.hpp"

namespace watchlab::tidy {

namespace {

bool names_tests(const Source& source) {
  return source.path() == "docs/port_map.md" || source.path() == "docs/known_live.md" ||
         source.path() == "docs/original_tests.md" || source.in("tests/fixes/");
}

/// The first argument of the macro whose name ends at `at`.
std::string argument_at(const std::string& code, std::size_t at) {
  std::size_t begin = code.find_first_not_of("( \n", at);
  std::size_t end = begin;
  while (end < code.size() && is_word_char(code[end])) {
    ++end;
  }
  return code.substr(begin, end - begin);
}

/// "suite" and "suite/case" of all tests, as their macros stand one after another in a file.
std::set<std::string> tests_of(const Tree& tree) {
  constexpr std::string_view suite_macro = "BOOST_AUTO_TEST_SUITE(";
  constexpr std::string_view case_macro = "_TEST_CASE(";
  std::set<std::string> tests;
  for (const Source& source : tree) {
    if (!source.in("tests/") || !source.is_cpp()) {
      continue;
    }
    const std::string& code = source.code();
    std::string suite;
    for (std::size_t at = code.find("TEST_"); at != std::string::npos;
         at = code.find("TEST_", at + 1)) {
      if (at >= 11 && code.compare(at - 11, suite_macro.size(), suite_macro) == 0) {
        suite = argument_at(code, at - 11 + suite_macro.size());
        tests.insert(suite);
      } else if (at >= 1 && code.compare(at - 1, case_macro.size(), case_macro) == 0) {
        tests.insert(suite + "/" + argument_at(code, at - 1 + case_macro.size()));
      }
    }
  }
  return tests;
}

/// A test of this tree by the form of its name: `…_test` or `…_test/…`.
bool looks_like_a_test(std::string_view word) {
  const std::size_t slash = word.find('/');
  const std::string_view suite = word.substr(0, slash);
  for (const char c : word) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '/') {
      return false;
    }
  }
  return suite.ends_with("_test");
}

void check_line(const Source& page, std::size_t line, const std::set<std::string>& tests,
                Problems& problems) {
  const std::string_view text = page.lines()[line];
  std::size_t begin = text.find('`');
  while (begin != std::string_view::npos) {
    const std::size_t end = text.find('`', begin + 1);
    if (end == std::string_view::npos) {
      return;
    }
    const std::string word(text.substr(begin + 1, end - begin - 1));
    if (looks_like_a_test(word) && !tests.contains(word)) {
      problems.push_back({page.path(), line + 1, "names " + word + ", which is no test"});
    }
    begin = text.find('`', end + 1);
  }
}

}  // namespace

Problems check_pinned(const Tree& tree) {
  const std::set<std::string> tests = tests_of(tree);
  Problems problems;
  for (const Source& page : tree) {
    for (std::size_t line = 0; names_tests(page) && line < page.lines().size(); ++line) {
      check_line(page, line, tests, problems);
    }
  }
  return problems;
}

}  // namespace watchlab::tidy
