#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "scenarios/language/document.hpp"

using namespace watchlab::scenarios;

BOOST_AUTO_TEST_SUITE(problem_test)

BOOST_AUTO_TEST_CASE(a_message_names_file_line_and_column) {
  const Problem problem{{3, 7}, "unknown key 'nmae'", "name or kind", "name"};
  BOOST_TEST(describe("a.yaml", problem) ==
             "a.yaml:3:7: unknown key 'nmae'; expected name or kind; did you mean \"name\"?");
}

BOOST_AUTO_TEST_CASE(a_problem_with_the_whole_file_has_no_line) {
  BOOST_TEST(describe("a.yaml", {{}, "there is no such file", "", ""}) ==
             "a.yaml: there is no such file");
}

BOOST_AUTO_TEST_CASE(the_nearest_name_is_the_one_with_the_fewest_edits) {
  const std::vector<std::string> names{"close_watch", "cut_watch", "delay"};
  BOOST_TEST(nearest_name("cut_wach", names) == "cut_watch");
  BOOST_TEST(nearest_name("dealy", names) == "delay");
  BOOST_TEST(nearest_name("DELAY", names) == "delay");
}

BOOST_AUTO_TEST_CASE(the_nearest_name_stands_before_a_long_list) {
  const Problem few{{5, 2}, "'dealy' is not a fault", "cut_watch or delay", "delay"};
  BOOST_TEST(describe("f", few) ==
             "f:5:2: 'dealy' is not a fault; expected cut_watch or delay; did you mean \"delay\"?");
  const std::string list(300, 'x');
  const Problem many{{5, 2}, "'dealy' is not a fault", list, "delay"};
  BOOST_TEST(describe("f", many) ==
             "f:5:2: 'dealy' is not a fault; did you mean \"delay\"? Expected " + list);
}

BOOST_AUTO_TEST_CASE(a_name_of_the_same_words_is_near_in_any_order_and_in_the_words_of_others) {
  const std::vector<std::string> names{"black_hole", "close_watch", "cut_watch", "drop_event",
                                       "restart_server"};
  BOOST_TEST(nearest_name("watch_cut", names) == "cut_watch");
  BOOST_TEST(nearest_name("Watch-Cut", names) == "cut_watch");
  BOOST_TEST(nearest_name("watch_drop", names) == "cut_watch");
  BOOST_TEST(nearest_name("disconnect_watch", names) == "cut_watch");
  BOOST_TEST(nearest_name("event_lost", names) == "drop_event");
  BOOST_TEST(nearest_name("server_reboot", names) == "restart_server");
  BOOST_TEST(nearest_name("watch", names) == "");
  BOOST_TEST(nearest_name("watch_moon", names) == "");
}

BOOST_AUTO_TEST_CASE(a_word_that_resembles_nothing_has_no_nearest_name) {
  const std::vector<std::string> names{"close_watch", "delay"};
  BOOST_TEST(nearest_name("banana", names) == "");
  BOOST_TEST(nearest_name("", names) == "");
  BOOST_TEST(nearest_name(std::string(1000, 'd'), names) == "");
}

BOOST_AUTO_TEST_CASE(alternatives_are_listed_as_people_do) {
  BOOST_TEST(one_of(std::vector<std::string>{"a"}) == "a");
  BOOST_TEST(one_of(std::vector<std::string>{"a", "b"}) == "a or b");
  BOOST_TEST(one_of(std::vector<std::string>{"a", "b", "c"}) == "a, b or c");
}

BOOST_AUTO_TEST_CASE(problems_come_in_the_order_of_the_file) {
  Problems problems;
  problems.add({{9, 1}, "later", "", ""});
  problems.add({{2, 5}, "earlier", "", ""});
  const std::vector<Problem> found = problems.take();
  BOOST_REQUIRE(found.size() == 2U);
  BOOST_TEST(found.front().what == "earlier");
}

BOOST_AUTO_TEST_CASE(a_flood_of_problems_is_cut_off) {
  Problems problems;
  for (int i = 0; i < 1000; ++i) {
    problems.add({{i, 1}, "again", "", ""});
  }
  BOOST_TEST(problems.take().size() == Problems::kKeptMax);
}

BOOST_AUTO_TEST_SUITE_END()
