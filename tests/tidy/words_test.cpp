#include <boost/test/unit_test.hpp>

#include "tests/tidy/checks.hpp"
#include "tests/tidy/tree.hpp"

namespace watchlab::tidy {

BOOST_AUTO_TEST_SUITE(words_test)

namespace {

std::string said_of(const std::string& path, const std::string& text) {
  return said(check_words({{path, text}}));
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_message_names_the_line_and_the_replacement) {
  BOOST_TEST(said_of("docs/a.md", "# A\n\nThe task waits for ever.\n") ==
             "docs/a.md:3: \"for ever\" is a word of this house; write indefinitely\n");
}

BOOST_AUTO_TEST_CASE(a_word_of_a_page_is_found_in_any_case_and_across_a_line_end) {
  BOOST_TEST(!said_of("README.md", "Nobody waits.\n").empty());
  BOOST_TEST(!said_of("CONTRIBUTING.md", "It goes\non.\n").empty());
}

BOOST_AUTO_TEST_CASE(what_a_page_quotes_is_not_its_own_words) {
  BOOST_TEST(said_of("docs/a.md", "`nobody_waits_for_ever` and `ear: 3`\n").empty());
  BOOST_TEST(said_of("docs/a.md", "```yaml\near: 3\n```\n[a](told.md)\n").empty());
  BOOST_TEST(said_of("docs/a.md", "As in pod_nobody_saw_go.\n").empty());
  BOOST_TEST(!said_of("docs/a.md", "```\na\n```\n`b` [told](a.md)\n").empty());
}

BOOST_AUTO_TEST_CASE(longer_words_and_separate_ones_are_others) {
  BOOST_TEST(said_of("docs/a.md", "Bears go, on foot, for every hearing.\n").empty());
}

BOOST_AUTO_TEST_CASE(a_word_may_be_banned_from_names_or_from_one_folder_only) {
  BOOST_TEST(!said_of("sim/a.cpp", "bool straight_ = true;\n").empty());
  BOOST_TEST(said_of("docs/a.md", "It grows in a straight line.\n").empty());
  BOOST_TEST(!said_of("scenarios/language/a.cpp", "struct Shape {};\n").empty());
  BOOST_TEST(said_of("sim/a.cpp", "struct Shape {};\n").empty());
}

BOOST_AUTO_TEST_CASE(other_pages_are_free) {
  BOOST_TEST(said_of("scenarios/a/README.md", "Nobody waits.\n").empty());
}

BOOST_AUTO_TEST_CASE(a_part_of_a_name_is_found) {
  BOOST_TEST(said_of("sim/a.cpp", "\nvoid mend_all();\n") ==
             "sim/a.cpp:2: \"mend\" is a word of this house; write fix\n");
  BOOST_TEST(!said_of("core/a.hpp", "class AParcel {};\n").empty());
  BOOST_TEST(!said_of("core/a.hpp", "class XYZParcel {};\n").empty());
}

BOOST_AUTO_TEST_CASE(names_that_scenarios_and_grades_hold_stay) {
  BOOST_TEST(said_of("sim/a.cpp", "int check_arrivals_are_told();\n").empty());
  BOOST_TEST(!said_of("sim/a.cpp", "int arrivals_are_told();\n").empty());
  BOOST_TEST(said_of("exercises/05-a/a.cpp", "void a_deletion_is_told() {}\n").empty());
  BOOST_TEST(!said_of("exercises/grader/a.cpp", "void a_deletion_is_told() {}\n").empty());
}

BOOST_AUTO_TEST_CASE(comments_strings_and_longer_parts_are_no_names) {
  BOOST_TEST(said_of("sim/a.cpp", "// mend\nconst char* a = \"mend\";\n").empty());
  BOOST_TEST(said_of("sim/a.cpp", "int amendment = parcels + dawning;\n").empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tidy
