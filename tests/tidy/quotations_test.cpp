#include <boost/test/unit_test.hpp>

#include "tests/tidy/checks.hpp"
#include "tests/tidy/tree.hpp"

namespace watchlab::tidy {
BOOST_AUTO_TEST_SUITE(quotations_test)

namespace {

const Source kCode{"tests/a.cpp", "one();\ntwo();\nthree();\n"};

Source page(const std::string& quoted) {
  return {"docs/a.md", "# A\n<!-- from tests/a.cpp -->\n```cpp\n" + quoted + "```\n"};
}

}  // namespace

BOOST_AUTO_TEST_CASE(code_that_stands_in_its_file_passes) {
  BOOST_TEST(check_quotations({kCode, page("two();\nthree();\n")}).empty());
}

BOOST_AUTO_TEST_CASE(code_that_stands_otherwise_in_its_file_is_found) {
  BOOST_TEST(said(check_quotations({kCode, page("one();\nthree();\n")})) ==
             "docs/a.md:2: what is quoted does not stand so in tests/a.cpp\n");
  BOOST_TEST(!check_quotations({kCode, page("")}).empty());
}

BOOST_AUTO_TEST_CASE(code_of_no_file_is_found) {
  BOOST_TEST(said(check_quotations({page("one();\n")})) ==
             "docs/a.md:2: quotes tests/a.cpp, no "
             "file\n");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tidy
