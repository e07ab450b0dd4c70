#include <boost/test/unit_test.hpp>
#include <stdexcept>

#include "scenarios/fuzz/known_live.hpp"
#include "scenarios/language/document.hpp"

using namespace watchlab::scenarios;

BOOST_AUTO_TEST_SUITE(kept_seeds_test)

BOOST_AUTO_TEST_CASE(a_line_is_a_seed_and_what_it_found) {
  const auto kept = kept_seeds("# for people\n\n12  # violation|C4 deletions_arrive\n7\n");
  BOOST_REQUIRE_EQUAL(kept.size(), 2U);
  BOOST_TEST(kept[0].seed == 12U);
  BOOST_TEST(kept[0].found == "violation|C4 deletions_arrive");
  BOOST_TEST(kept[1].seed == 7U);
  BOOST_TEST(kept[1].found.empty());
}

BOOST_AUTO_TEST_CASE(anything_else_is_refused_with_its_line) {
  const auto says_line_2 = [](const std::invalid_argument& refused) {
    return std::string(refused.what()).starts_with("line 2:");
  };
  BOOST_CHECK_EXCEPTION((void)kept_seeds("1\nseven\n"), std::invalid_argument, says_line_2);
  BOOST_CHECK_EXCEPTION((void)kept_seeds("1\n2 3\n"), std::invalid_argument, says_line_2);
}

BOOST_AUTO_TEST_CASE(the_kept_seeds_of_the_tree_can_be_read) {
  Problems problems;
  const std::string text = read_text_file("scenarios/regressions/seeds.txt", problems);
  BOOST_TEST(problems.empty());
  BOOST_CHECK_NO_THROW((void)kept_seeds(text));
}

BOOST_AUTO_TEST_SUITE_END()
