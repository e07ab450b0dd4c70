#include "scenarios/command_line/page_layout.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "scenarios/command_line/wrapped_text.hpp"

using namespace watchlab::scenarios;

/// What is laid out for a terminal of a width.
BOOST_AUTO_TEST_SUITE(page_layout_test)

namespace {

const std::vector<PageRow> exercises{
    {"  E00", "First steps", "tour", "easy", " 15 min", "done"},
    {"> E13", "A cold case: the reader who left before the last word was said", "cold case",
     "advanced", "120 min", "3 points"},
    {"  E14", "重新列出之后的幽灵对象", "实现", "中级", " 60 min", ""},
};

std::size_t widest_of(const std::string& text) {
  std::istringstream in(text);
  std::size_t widest = 0;
  for (std::string line; std::getline(in, line);) {
    widest = std::max(widest, width_of(line));
  }
  return widest;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_table_is_as_wide_as_the_page_at_most) {
  for (std::size_t columns = 30; columns <= 140; ++columns) {
    BOOST_TEST(widest_of(table_text(exercises, columns)) <= columns, columns);
  }
}

BOOST_AUTO_TEST_CASE(cells_stand_below_each_other) {
  BOOST_TEST(table_text(exercises, 72) ==
             "  E00  First steps                tour       easy       15 min  done\n"
             "> E13  A cold case: the reader    cold case  advanced  120 min  3 points\n"
             "       who left before the last\n"
             "       word was said\n"
             "  E14  重新列出之后的幽灵对象     实现       中级       60 min\n");
}

BOOST_AUTO_TEST_CASE(where_no_table_fits_the_rest_of_a_row_stands_below_its_beginning) {
  BOOST_TEST(table_text({{"E13", "A cold case", "advanced", "120 min", "interrupted"}}, 26) ==
             "E13 A cold case\n"
             "    advanced, 120 min,\n"
             "    interrupted\n");
}

BOOST_AUTO_TEST_CASE(a_page_is_filled_and_calls_stay_whole) {
  const std::string page =
      "# Time travel\n\nOne sentence that\ngoes on below. Draw it: `./watchlab draw x --brief -o "
      "run.svg`\n\n- an entry that is\n  rather long\n- another\n\n| who | does |\n|---|---|\n| "
      "server | answers with an old state |\n\n    code  as it is, however wide it may be\n";
  BOOST_TEST(
      page_text(page, 30) ==
      "# Time travel\n\nOne sentence that goes on\nbelow. Draw it:\n`./watchlab draw x --brief "
      "-o run.svg`\n\n- an entry that is rather long\n- another\n\nwho     does\nserver  "
      "answers with an old\n        state\n\n    code  as it is, however wide it may be\n");
}

BOOST_AUTO_TEST_CASE(code_goes_on_deeper_than_it_began) {
  BOOST_TEST(code_text("+  return long_name(of_this, of_that);\n-short\n", 24) ==
             "+  return\n       long_name(of_this,\n       of_that);\n-short\n");
}

BOOST_AUTO_TEST_SUITE_END()
