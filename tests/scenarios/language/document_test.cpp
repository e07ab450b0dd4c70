#include "scenarios/language/document.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

#include "tests/support/texts.hpp"

using namespace watchlab::scenarios;
using watchlab::tests::says;

BOOST_AUTO_TEST_SUITE(document_test)

namespace {

/// The first problem with a text, as `line:column: what`.
std::string first_problem(const std::string& text) {
  Problems problems;
  (void)parse_document(text, problems);
  const auto found = problems.take();
  return found.empty() ? "" : describe("f", found.front());
}

std::string repeated(const std::string& part, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) {
    text += part;
  }
  return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(values_know_their_places) {
  Problems problems;
  const Node root = parse_document("a: 1\nb:\n  - x\n  - 'y'\n", problems);
  BOOST_TEST(problems.empty());
  BOOST_REQUIRE(root.find("b") != nullptr);
  const Node& list = *root.find("b");
  BOOST_REQUIRE(list.items.size() == 2U);
  BOOST_TEST(list.items[1].place.line == 4);
  BOOST_TEST(list.items[1].place.column == 5);
  BOOST_TEST(list.items[1].quoted);
  BOOST_TEST(!list.items[0].quoted);
}

BOOST_AUTO_TEST_CASE(an_empty_file_is_no_scenario) {
  BOOST_TEST(says(first_problem(""), "f:1:1: the file is empty"));
  BOOST_TEST(says(first_problem(" \n\t\n"), "the file is empty"));
}

BOOST_AUTO_TEST_CASE(a_binary_file_is_named_by_its_first_strange_byte) {
  BOOST_TEST(says(first_problem("ab\ncd\x7f"), "f:2:3: the byte 0x7f"));
  BOOST_TEST(says(first_problem(std::string("a\0b", 3)), "f:1:2: the byte 0x00"));
}

BOOST_AUTO_TEST_CASE(a_key_comes_once) {
  BOOST_TEST(says(first_problem("a: 1\nb: 2\na: 3\n"),
                  "f:3:1: the key 'a' for the second time; expected each key once; its first value "
                  "is on line 1"));
}

BOOST_AUTO_TEST_CASE(anchors_aliases_and_tags_are_refused) {
  BOOST_TEST(says(first_problem("a: &x [1]\nb: *x\n"), "f:1:4: an anchor"));
  BOOST_TEST(says(first_problem("a: !!binary abc\n"), "the tag"));
}

BOOST_AUTO_TEST_CASE(broken_yaml_is_named_by_its_place) {
  BOOST_TEST(says(first_problem("a: b: c\n"), "f:1:5: a second ': ' in one line"));
}

BOOST_AUTO_TEST_CASE(a_second_document_is_refused) {
  BOOST_TEST(says(first_problem("a: 1\n---\nb: 2\n"), "a second document"));
}

BOOST_AUTO_TEST_CASE(deep_nesting_is_refused_where_it_gets_too_deep) {
  BOOST_TEST(says(first_problem("a: " + repeated("[", 1000)), "nesting deeper"));
  BOOST_TEST(says(first_problem(repeated("- ", 1000)), "nesting deeper"));
}

BOOST_AUTO_TEST_CASE(floods_are_refused) {
  BOOST_TEST(says(first_problem("a: [" + repeated("b,", 150'000) + "]"), "too many values"));
  std::string keys;
  for (int i = 0; i < 2000; ++i) {
    keys += "k" + std::to_string(i) + ": 1\n";
  }
  BOOST_TEST(says(first_problem(keys), "too many keys"));
  BOOST_TEST(says(first_problem(std::string(kFileBytesMax + 1, 'a')), "the file has"));
}

BOOST_AUTO_TEST_CASE(the_root_is_a_mapping) {
  BOOST_TEST(says(first_problem("- a\n- b\n"), "f:1:1: the file has no keys"));
}

BOOST_AUTO_TEST_CASE(a_missing_file_is_a_problem_of_the_file) {
  Problems problems;
  (void)read_text_file("tests/there_is_none.yaml", problems);
  const auto found = problems.take();
  BOOST_REQUIRE(found.size() == 1U);
  BOOST_TEST(found.front().what == "there is no such file");
}

BOOST_AUTO_TEST_SUITE_END()
