#include <boost/test/unit_test.hpp>

#include "tests/tidy/checks.hpp"
#include "tests/tidy/tree.hpp"

namespace watchlab::tidy {

BOOST_AUTO_TEST_SUITE(pages_test)

namespace {

const Source kTests{
    "tests/a_test.cpp",
    "BOOST_AUTO_TEST_SUITE(a_test)\n\nBOOST_AUTO_TEST_CASE(\n    one) {\n  run();\n}\n"};

std::string said_of(const std::string& path, const std::string& text) {
  return said(check_pages({kTests, {"docs/b.md", "# B\n"}, {path, text}}));
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_page_that_is_not_in_the_tree_is_found) {
  BOOST_TEST(said_of("sim/a.hpp", "\n// As in docs/c.md, section 2.\n") ==
             "sim/a.hpp:2: names docs/c.md, which is not there\n");
  BOOST_TEST(said_of("sim/a.hpp", "// As in docs/b.md.\n").empty());
  BOOST_TEST(said_of("tests/a.py", "open('out/docs/c.md')\n").empty());
}

BOOST_AUTO_TEST_CASE(a_link_to_nowhere_is_found) {
  BOOST_TEST(said_of("docs/a/d.md", "# D\n[c](../c.txt)\n") ==
             "docs/a/d.md:2: links to docs/c.txt, which is not there\n");
  BOOST_TEST(said_of("docs/a/d.md", "[b](../b.md#c) and [e](https://example.org/e.md)\n").empty());
  BOOST_TEST(said_of("docs/d.md", "```cpp\nrun([](Runtime& runtime) {});\n```\n").empty());
}

BOOST_AUTO_TEST_CASE(a_test_that_is_not_there_is_found) {
  BOOST_TEST(said_of("docs/port_map.md", "`b.hpp` `a_test/two`\n") ==
             "docs/port_map.md:1: names a_test/two, which is no test\n");
  BOOST_TEST(!said_of("docs/port_map.md", "`b_test`\n").empty());
  BOOST_TEST(said_of("docs/port_map.md", "`a_test`, `a_test/one`\n").empty());
}

BOOST_AUTO_TEST_CASE(code_that_stands_otherwise_in_its_file_is_found) {
  const std::string mark = "<!-- from tests/a_test.cpp -->\n```cpp\n";
  BOOST_TEST(said_of("docs/d.md", "# D\n" + mark + "  walk();\n```\n") ==
             "docs/d.md:2: what is quoted does not stand so in tests/a_test.cpp\n");
  BOOST_TEST(!said_of("docs/d.md", mark + "```\n").empty());
  BOOST_TEST(!said_of("docs/d.md", "<!-- from tests/b.cpp -->\n```\n  run();\n```\n").empty());
  BOOST_TEST(said_of("docs/d.md", mark + "  run();\n}\n```\n").empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tidy
