#include <boost/test/unit_test.hpp>
#include <string>

#include "tests/tidy/checks.hpp"
#include "tests/tidy/tree.hpp"

namespace watchlab::tidy {

BOOST_AUTO_TEST_SUITE(map_test)

namespace {

/// What is found of a page with this row, in a tree with one source.
std::string found(const std::string& row, const std::string& title = "## Where is …") {
  return said(check_map({{"core/a.cpp", "void run(int);  // not walk()\n"},
                         {"docs/architecture.md", "# A\n" + title + "\n\n" + row + "\n"}}));
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_answer_that_is_there_is_good) {
  BOOST_TEST(found("| Who runs? | [a.cpp](../core/a.cpp) | `run` |").empty());
}

BOOST_AUTO_TEST_CASE(a_file_that_is_gone_is_found) {
  BOOST_TEST(found("| Who runs? | [b.cpp](../core/b.cpp) | `run` |") ==
             "docs/architecture.md:4: answers with core/b.cpp, which is not there\n");
}

BOOST_AUTO_TEST_CASE(a_function_that_is_gone_is_found) {
  BOOST_TEST(found("| Who walks? | [a.cpp](../core/a.cpp) | `walk` |") ==
             "docs/architecture.md:4: answers with a function walk, which core/a.cpp has not\n");
  BOOST_TEST(!found("| Who runs? | [a.cpp](../core/a.cpp) | |").empty());
}

BOOST_AUTO_TEST_CASE(other_tables_are_left_alone) {
  BOOST_TEST(found("| run | [a.cpp](../core/a.cpp) |", "## The way of an event").empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tidy
