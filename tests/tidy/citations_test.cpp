#include <boost/test/unit_test.hpp>

#include "tests/tidy/checks.hpp"
#include "tests/tidy/tree.hpp"

namespace watchlab::tidy {

BOOST_AUTO_TEST_SUITE(citations_test)

namespace {

Tree with_rules(std::string comment) {
  return {{"sim/a.hpp", "// " + std::move(comment) + "\n"},
          {"docs/apiserver_rules.md", "# R\n\n## L: lists\n\n- **L1** a\n| L2 | b |\n"}};
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_page_that_is_not_in_the_tree_is_found) {
  BOOST_TEST(said(check_citations({{"sim/a.hpp", "\n// As in docs/b.md, section 2.\n"}})) ==
             "sim/a.hpp:2: names docs/b.md, which is not there; cite what is in the tree\n");
  BOOST_TEST(said(check_citations({{"README.md", "See research/c.md.\n"}})) ==
             "README.md:1: names research/c.md, which is not there; cite what is in the tree\n");
  BOOST_TEST(
      check_citations({{"sim/a.hpp", "// As in docs/b.md.\n"}, {"docs/b.md", "# B\n"}}).empty());
}

BOOST_AUTO_TEST_CASE(names_of_files_that_are_no_pages_of_ours_are_passed_over) {
  BOOST_TEST(check_citations({{"tests/a.py", "open('out/notes.md')\n"}}).empty());
}

BOOST_AUTO_TEST_CASE(a_rule_that_the_page_does_not_have_is_found) {
  BOOST_TEST(said(check_citations(with_rules("(docs/apiserver_rules.md L1 to L7): and so on"))) ==
             "sim/a.hpp:1: cites rule L7 of docs/apiserver_rules.md, which has none\n");
  BOOST_TEST(!check_citations(with_rules("docs/apiserver_rules.md L and W.")).empty());
}

BOOST_AUTO_TEST_CASE(rules_and_sections_that_are_there_pass) {
  BOOST_TEST(check_citations(with_rules("(docs/apiserver_rules.md L1 to L2): and so on")).empty());
  BOOST_TEST(check_citations(with_rules("docs/apiserver_rules.md L, rule by rule")).empty());
  BOOST_TEST(check_citations(with_rules("docs/apiserver_rules.md says it. A9")).empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tidy
