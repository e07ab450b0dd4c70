#include <boost/test/unit_test.hpp>

#include "tests/tidy/checks.hpp"
#include "tests/tidy/tree.hpp"

namespace watchlab::tidy {
BOOST_AUTO_TEST_SUITE(pinned_test)

namespace {

Source test_file() {
  const std::string macro = "BOOST_AUTO_TEST_";
  return {"tests/core/a_test.cpp",
          macro + "SUITE(a_test)\n" + macro + "CASE(one) {}\n" + macro + "SUITE_END()\n"};
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_row_that_names_a_test_which_is_not_there_is_found) {
  BOOST_TEST(said(check_pinned({test_file(), {"docs/port_map.md", "# A\n| `a_test/two` |\n"}})) ==
             "docs/port_map.md:2: names a_test/two, which is no test\n");
  BOOST_TEST(!check_pinned({test_file(), {"docs/known_live.md", "`b_test`\n"}}).empty());
}

BOOST_AUTO_TEST_CASE(suites_and_cases_that_are_there_are_found) {
  BOOST_TEST(check_pinned({test_file(), {"docs/port_map.md", "`a_test`, `a_test/one`, `b.hpp`\n"}})
                 .empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tidy
