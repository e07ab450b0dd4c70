#include "sim/apiserver/linear_pattern.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

using namespace watchlab::sim;

BOOST_AUTO_TEST_SUITE(linear_pattern_test)

namespace {

struct Row {
  std::string pattern;
  std::string matched;
  std::string unmatched;
};

bool is_found(const std::string& pattern, const std::string& text) {
  std::size_t steps = 1'000'000;
  const LinearPattern read(pattern);
  BOOST_TEST(read.mistake() == "");
  const std::optional<bool> found = read.is_found_in(text, steps);
  BOOST_REQUIRE(found.has_value());
  return *found;
}

}  // namespace

BOOST_AUTO_TEST_CASE(patterns_match_what_they_match_in_go) {
  const std::vector<Row> rows{
      {"b+", "abc", "ac"},
      {"^a|b$", "ax", "xa"},
      {"^(a|bc){2,3}$", "abca", "abcaa"},
      {"^a{2}$", "aa", "aaa"},
      {"^a{2,}$", "aaaa", "a"},
      {"^a{0}b?$", "b", "a"},
      {"^a{,2}$", "a{,2}", "aa"},
      {"^(a+)+$", std::string(50, 'a'), std::string(50, 'a') + "!"},
      {"^(a|aa)*$", std::string(50, 'a'), std::string(50, 'a') + "!"},
      {"^()*$", "", "a"},
      {"^(?P<x>a)(?<y>b)$", "ab", "b"},
      {"^(?i)k(?-i)k$", "Kk", "KK"},
      {"^(?i:s)$", "\xC5\xBF", "\xC5\xBE"},
      {"^(?:a(?i)b)c$", "aBc", "aBC"},
      {"(?m)^b$", "a\nb\nc", "a\nbc"},
      {"^b$", "b", "b\n"},
      {"^a.c$",
       "a\xC3\xA9"
       "c",
       "a\nc"},
      {"(?s)^a.c$", "a\nc", "ac"},
      {R"(\bto\b)", "go to", "goto"},
      {R"(o\B)", "go-to ox", "go"},
      {R"(^\d\w\s\D\W\S$)", "1_\tx-x", "a_\tx-x"},
      {"^[^a-c]$", "d", "b"},
      {"^[]a-]+$", "]-a", "b"},
      {"^[[:alpha:][:^digit:]-]$", "-", "1"},
      {R"(^[\w.-]+$)", "a.b-c", "a b"},
      {R"(^\x41\x{e9}\101\.$)",
       "A\xC3\xA9"
       "A.",
       "A\xC3\xA9"
       "AA"},
      {R"(^\Qa.b\E+$)", "a.bb", "axb"},
      {R"(\Aab\z)", "ab", "abc"},
  };
  for (const Row& row : rows) {
    BOOST_TEST_CONTEXT(row.pattern) {
      BOOST_TEST(is_found(row.pattern, row.matched));
      BOOST_TEST(!is_found(row.pattern, row.unmatched));
    }
  }
}

BOOST_AUTO_TEST_CASE(what_go_cannot_read_is_refused_in_its_words) {
  const std::vector<std::pair<std::string, std::string>> rows{
      {"(", "missing closing ): `(`"},
      {"a)", "unexpected ): `a)`"},
      {"[a", "missing closing ]: `[a`"},
      {"*", "missing argument to repetition operator: `*`"},
      {"a**", "invalid nested repetition operator: `**`"},
      {"a{1001}", "invalid repeat count: `{1001}`"},
      {"((a{1,200}){1,200}){1,200}", "invalid repeat count: `{1,200}`"},
      {"[b-a]", "invalid character class range: `b-a`"},
      {"[[:x:]]", "invalid character class range: `[:x:]`"},
      {R"(\1)", R"(invalid escape sequence: `\1`)"},
      {"\\", "trailing backslash at end of expression: ``"},
      {"(?=a)", "invalid or unsupported Perl syntax: `(?=`"},
      {"(?P<1-2>a)", "invalid named capture: `(?P<1-2>`"},
      {"a\xFF", "invalid UTF-8: `a\xEF\xBF\xBD`"},
      {R"(\p{Greek})", R"(classes of Unicode are not supported here: `\p{Greek}`)"},
      {"(?i)\xC3\xA9", "letters beyond ASCII under (?i) are not supported here: `(?i)\xC3\xA9`"},
      {std::string(201, '(') + std::string(201, ')'), "expression nests too deeply"},
      {std::string(2'000, '.') + "(.{1000}){1}" + std::string(1'000'000, '.'),
       "expression too large"},
  };
  for (const auto& [pattern, mistake] : rows) {
    BOOST_TEST(LinearPattern(pattern).mistake() == "error parsing regexp: " + mistake);
  }
}

/// Each character costs at most each instruction once, and nothing is tried twice.
BOOST_AUTO_TEST_CASE(a_match_takes_steps_in_proportion_to_the_text) {
  for (const std::string pattern :
       {"^((a{1,30}){1,30})$", "^(a+)+$", "(a*)*(a|aa)*!$", "x*y*z*!$"}) {
    const LinearPattern read(pattern);
    const std::string text = std::string(1'000, 'a') + "?";
    constexpr std::size_t kMany = 10'000'000;
    std::size_t steps = kMany;
    BOOST_TEST((read.is_found_in(text, steps) == false), pattern);
    BOOST_TEST(kMany - steps <= 2 * read.size() * (text.size() + 2), pattern);
    std::size_t few = text.size();
    BOOST_TEST(!read.is_found_in(text, few).has_value());
    BOOST_TEST(few == 0U);
  }
  // What a thread splits into costs, too, also when it ends nowhere.
  std::size_t steps = 100'000;
  BOOST_TEST(!LinearPattern("(|){500}!").is_found_in(std::string(1'000, 'a'), steps).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
