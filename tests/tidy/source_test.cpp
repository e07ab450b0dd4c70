#include "tests/tidy/source.hpp"

#include <boost/test/unit_test.hpp>

namespace watchlab::tidy {

BOOST_AUTO_TEST_SUITE(source_test)

BOOST_AUTO_TEST_CASE(comments_are_blanked) {
  BOOST_TEST(blanked("a; // b\nc; /* d\ne */ f") == "a;     \nc;     \n     f");
}

BOOST_AUTO_TEST_CASE(insides_of_literals_are_blanked) {
  BOOST_TEST(blanked("x = \"a\\\"b\" + 'c';") == "x = \"    \" + ' ';");
}

BOOST_AUTO_TEST_CASE(raw_strings_are_blanked) {
  BOOST_TEST(blanked("R\"y(\"//)y\" + a") == "R\"y        + a");
}

BOOST_AUTO_TEST_CASE(an_apostrophe_between_digits_opens_no_literal) {
  BOOST_TEST(blanked("100'000; f();") == "100'000; f();");
}

BOOST_AUTO_TEST_CASE(paths_of_includes_stay) {
  BOOST_TEST(blanked("#include \"core/a.hpp\"\n") == "#include \"core/a.hpp\"\n");
}

BOOST_AUTO_TEST_CASE(a_word_is_no_part_of_a_longer_one) {
  BOOST_TEST(find_word("now now_ a_now now", "now").size() == 2U);
  BOOST_TEST(find_word("FastLock Lock", "*Lock").size() == 2U);
}

BOOST_AUTO_TEST_CASE(lines_are_counted_from_one) {
  const Source source("core/a.cpp", "a\nb\nc\n");
  BOOST_TEST(source.line_of(0) == 1U);
  BOOST_TEST(source.line_of(4) == 3U);
  BOOST_TEST(source.lines().size() == 3U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tidy
