#include <boost/test/unit_test.hpp>

#include "tests/tidy/checks.hpp"
#include "tests/tidy/tree.hpp"

namespace watchlab::tidy {

BOOST_AUTO_TEST_SUITE(pages_test)

BOOST_AUTO_TEST_CASE(a_page_has_one_title) {
  BOOST_TEST(said(check_pages({{"README.md", "# A\n\n# B\n"}})) ==
             "README.md:1: has 2 titles; a page has one line `# …`\n");
  BOOST_TEST(!check_pages({{"README.md", "text\n"}}).empty());
  BOOST_TEST(check_pages({{"README.md", "# A\n```\n# a comment\n```\n"}}).empty());
}

BOOST_AUTO_TEST_CASE(a_page_that_no_page_links_to_is_found) {
  BOOST_TEST(said(check_pages({{"README.md", "# A\n"}, {"docs/b.md", "# B\n"}})) ==
             "docs/b.md:1: no page links here; add a link where a reader comes by\n");
  BOOST_TEST(
      check_pages({{"README.md", "# A\n[b](docs/b.md#c)\n"}, {"docs/b.md", "# B\n"}}).empty());
}

BOOST_AUTO_TEST_CASE(a_link_to_nowhere_is_found) {
  BOOST_TEST(said(check_pages({{"docs/a/b.md", "# B\n[c](../c.md)\n"},
                               {"README.md", "# A\n[b](docs/a/b.md)\n"}})) ==
             "docs/a/b.md:1: links to docs/c.md, which is not there\n");
}

BOOST_AUTO_TEST_CASE(links_to_other_sites_are_not_followed) {
  BOOST_TEST(check_pages({{"README.md", "# A\n[b](https://example.org/b.md)\n"}}).empty());
}

BOOST_AUTO_TEST_CASE(a_lambda_in_a_sample_is_no_link) {
  BOOST_TEST(
      check_pages({{"README.md", "# A\n```cpp\nrun([](Runtime& runtime) {});\n```\n"}}).empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tidy
