// What submissions may print, and what of it may be written down.
#include <boost/test/unit_test.hpp>
#include <string>

#include "exercises/programs/texts.hpp"
#include "tests/exercises/grader/odd_grades.hpp"

namespace watchlab::course {

BOOST_AUTO_TEST_SUITE(plain_text_test)

BOOST_AUTO_TEST_CASE(a_plain_text_stays) {
  const std::string text = "found \"a@1\", not \"b@2\"\n\tnaïve, 雪, ✓, 🦀\n";
  BOOST_TEST(plain_text(text) == text);
  BOOST_TEST(is_plain(text));
}

BOOST_AUTO_TEST_CASE(latin_1_and_pieces_of_characters_are_replaced) {
  BOOST_TEST(plain_text("caf\xE9") == "caf\xEF\xBF\xBD");
  BOOST_TEST(plain_text("\xE2\x9C") == "\xEF\xBF\xBD\xEF\xBF\xBD");  // two thirds of a check mark
  BOOST_TEST(plain_text("\xC0\xAF") == "\xEF\xBF\xBD\xEF\xBF\xBD");  // an overlong slash
  BOOST_TEST(plain_text("\xED\xA0\x80z").ends_with("z"));            // a surrogate
  BOOST_TEST(plain_text("\xF4\x90\x80\x80z").ends_with("z"));        // above U+10FFFF
}

BOOST_AUTO_TEST_CASE(escape_sequences_go_as_a_whole) {
  BOOST_TEST(plain_text("\033[1;31mred\033[0m") == "red");
  BOOST_TEST(plain_text("\033]0;title\alines") == "lines");
  BOOST_TEST(plain_text("\033]8;;http://x\033\\link") == "link");
  BOOST_TEST(plain_text("\033]0;never ended\nnext") == "\nnext");
  BOOST_TEST(plain_text("a\033[2Jb\033cc\033") == "abc");
}

BOOST_AUTO_TEST_CASE(control_characters_go) {
  using namespace std::string_literals;
  BOOST_TEST(plain_text("a\0b\x07\x08\x7F"s) == "ab");
  BOOST_TEST(plain_text("a\xC2\x9B"
                        "31mb") == "a31mb");                         // a C1 control sequence
  BOOST_TEST(plain_text("one\r\ntwo\rthree") == "one\ntwo\nthree");  // nothing overwrites a line
  BOOST_TEST(plain_text("if\xE2\x80\xAE x") == "if x");              // turns the direction
  BOOST_TEST(plain_text("a\xEF\xBF\xBF") == "a");                    // XML has no U+FFFF
}

BOOST_AUTO_TEST_CASE(a_line_is_one_line) { BOOST_TEST(plain_line("a\nb\tc\r") == "a b c "); }

BOOST_AUTO_TEST_CASE(what_deceives_in_a_name_is_marked) {
  BOOST_TEST(marked_name("a_zero_is_kept") == "a_zero_is_kept");
  BOOST_TEST(marked_name("删除_é_雪") == "删除_é_雪");
  BOOST_TEST(marked_name("st\u200Bays") == "st<U+200B>ays");
  BOOST_TEST(marked_name("st\u0430ys") == "st<U+0430>ys");  // Cyrillic
  BOOST_TEST(marked_name("\uFEFFs\uFF54\u2061") == "<U+FEFF>s<U+FF54><U+2061>");
  BOOST_TEST(marked_name("\U0001D5EE\U000E0041") == "<U+1D5EE><U+E0041>");
  BOOST_TEST(marked_name("a\nb\033[1m") == "a b");
  BOOST_TEST(has_line_break("a\u2028b"));
  BOOST_TEST(!has_line_break("a b"));
}

BOOST_AUTO_TEST_CASE(a_beginning_ends_with_a_whole_character) {
  const std::string text = "ab✓";
  BOOST_TEST(beginning_of(text, 5) == "ab✓");
  BOOST_TEST(beginning_of(text, 4) == "ab");
  BOOST_TEST(beginning_of(text, 3) == "ab");
  BOOST_TEST(beginning_of(text, 2) == "ab");
  BOOST_TEST(beginning_of("✓", 1) == "");
}

BOOST_AUTO_TEST_CASE(chinese_has_no_blank_where_a_line_was_folded) {
  BOOST_TEST(without_folds("两份订单， 一次铃声。 client-go 的 FIFO") ==
             "两份订单，一次铃声。client-go 的 FIFO");
  BOOST_TEST(without_folds("缩减 到 “一次” 为止") == "缩减到“一次”为止");
  BOOST_TEST(without_folds("加 1， 最后 3") == "加 1，最后 3");
  BOOST_TEST(without_folds("two orders, \"one\" bell. ") == "two orders, \"one\" bell. ");
}

BOOST_AUTO_TEST_CASE(whatever_the_bytes_the_text_is_plain_and_cleaning_it_again_changes_nothing) {
  OddBytes bytes(1);
  for (int i = 0; i < 20'000; ++i) {
    const std::string text = plain_text(bytes.text(40));
    BOOST_REQUIRE(is_plain(text));
    BOOST_REQUIRE(plain_text(text) == text);
    BOOST_REQUIRE(is_plain(beginning_of(text, 7)));
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::course
