#include "scenarios/report/alignment.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "tests/scenarios/report/played.hpp"

using namespace watchlab;
using namespace watchlab::tests;
using namespace watchlab::scenarios;

BOOST_AUTO_TEST_SUITE(alignment_test)

namespace {

using Names = std::vector<std::string>;

/// Both lists as the parts say: a name that both have stands once, "-x" only in the first.
Names merged(const Names& first, const Names& second) {
  Names all;
  std::size_t i = 0;
  std::size_t j = 0;
  for (const AlignedPart& part : align(first, second)) {
    for (std::size_t n = 0; n < part.both; ++n) {
      BOOST_TEST_REQUIRE(first.at(i) == second.at(j));
      all.push_back(first[i++]);
      ++j;
    }
    for (std::size_t n = 0; n < part.only_first; ++n) {
      all.push_back("-" + first.at(i++));
    }
    for (std::size_t n = 0; n < part.only_second; ++n) {
      all.push_back("+" + second.at(j++));
    }
  }
  BOOST_TEST(i == first.size());
  BOOST_TEST(j == second.size());
  return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(equal_lists_are_one_part) {
  BOOST_TEST((align({"a", "b"}, {"a", "b"}) == std::vector<AlignedPart>{{.both = 2}}));
  BOOST_TEST(align({}, {}).empty());
}

BOOST_AUTO_TEST_CASE(what_only_one_has_stands_between_what_both_have) {
  BOOST_TEST((merged({"a", "b", "c"}, {"a", "x", "c"}) == Names{"a", "-b", "+x", "c"}));
  BOOST_TEST((merged({}, {"x"}) == Names{"+x"}));
  BOOST_TEST((merged({"a"}, {}) == Names{"-a"}));
  BOOST_TEST((merged({"a", "b"}, {"b", "a"}).size() == 3U));
}

BOOST_AUTO_TEST_CASE(names_that_repeat_are_paired_as_often_as_both_have_them) {
  BOOST_TEST((merged({"l", "l", "x", "l"}, {"l", "l", "l"}) == Names{"l", "l", "-x", "l"}));
}

BOOST_AUTO_TEST_CASE(of_names_that_repeat_as_many_are_paired_as_can_be) {
  BOOST_TEST((merged({"a", "l", "l", "l", "b"}, {"c", "l", "l", "l", "d"}).size() == 7U));
  BOOST_TEST((merged({"a", "a", "a", "b", "b"}, {"b", "b", "a", "a", "a"}).size() == 7U));
  BOOST_TEST((merged({"b", "b", "a", "a", "a"}, {"a", "a", "a", "b", "b"}).size() == 7U));
}

BOOST_AUTO_TEST_CASE(names_that_stand_once_hold_a_long_list_together) {
  Names first;
  Names second;
  for (int i = 0; i < 3'000; ++i) {
    first.push_back(i % 10 == 0 ? std::to_string(i) : "l");
    second.push_back(i % 10 == 0 ? std::to_string(i) : i % 10 == 5 ? "m" : "l");
  }
  const Names all = merged(first, second);
  BOOST_TEST(all.size() == 3'300U);
}

BOOST_AUTO_TEST_CASE(steps_are_named_without_their_lines) {
  boost::json::object data = play_for_page(scenario_named("missed_delete")).data->whole();
  const Names names = item_names(data);
  BOOST_TEST(names.size() == item_steps(data).size());
  std::size_t locks = 0;
  for (const std::string& name : names) {
    BOOST_TEST(name.find(".cpp:") == std::string::npos, name);
    locks += name.find("locks mutex") != std::string::npos ? 1 : 0;
  }
  BOOST_TEST(locks > 10U);
}

BOOST_AUTO_TEST_CASE(a_list_is_named_alike_whether_the_queue_calls_it_sync_or_replaced) {
  boost::json::object data = play_for_page(scenario_named("missed_delete")).data->whole();
  const Names names = item_names(data);
  std::size_t renamed = 0;
  for (boost::json::value& event : data.at("events").as_array()) {
    std::string words(event.at(6).as_string());
    const std::size_t at = words.find("Replaced");
    if (event.at(3).as_string() == "queue" && at != std::string::npos) {
      event.as_array()[6] = words.replace(at, 8, "Sync");
      ++renamed;
    }
  }
  BOOST_TEST(renamed > 0U);
  BOOST_TEST((item_names(data) == names));
}

BOOST_AUTO_TEST_CASE(the_queues_of_two_releases_have_one_name) {
  const Names names =
      item_names(play_for_page(on_machine("0.33", scenario_named("missed_delete"))).data->whole());
  const auto speaks_of_queue = [](const std::string& name) {
    return name.find("locks mutex 'DeltaFIFO'") != std::string::npos;
  };
  BOOST_TEST(std::ranges::any_of(names, speaks_of_queue));
  for (const std::string& name : names) {
    BOOST_TEST(name.find("RealFIFO") == std::string::npos, name);
  }
}

BOOST_AUTO_TEST_SUITE_END()
