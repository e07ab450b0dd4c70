#include <boost/test/unit_test.hpp>

#include "scenarios/campaign/campaign.hpp"

using namespace watchlab::scenarios;

BOOST_AUTO_TEST_SUITE(campaign_text_test)

BOOST_AUTO_TEST_CASE(a_shard_is_one_of_so_many_counted_from_0) {
  const auto third = shard_of("2/4");
  BOOST_REQUIRE(third.has_value());
  BOOST_TEST(third->first == 2U);
  BOOST_TEST(third->second == 4U);
  BOOST_TEST(shard_of("")->second == 1U);
  for (const char* const wrong :
       {"4/4", "1", "1/", "/2", "-1/2", "0/0", "1/2/3", "a/b", "0/2000000"}) {
    BOOST_TEST(!shard_of(wrong).has_value(), wrong);
  }
}

BOOST_AUTO_TEST_CASE(a_probability_may_stand_in_percent) {
  BOOST_TEST(part_of("0.5%").value() == 0.005, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(part_of("0.25").value() == 0.25);
  for (const char* const wrong : {"", "%", "0", "1", "100%", "-1%", "5 %", "few"}) {
    BOOST_TEST(!part_of(wrong).has_value(), wrong);
  }
}

BOOST_AUTO_TEST_CASE(durations_are_reported_in_the_unit_that_fits) {
  BOOST_TEST(duration_text(3.4) == "3 s");
  BOOST_TEST(duration_text(300) == "5 min");
  BOOST_TEST(duration_text(9'000) == "2.5 h");
  BOOST_TEST(duration_text(40 * 86'400) == "40 days");
}

BOOST_AUTO_TEST_CASE(a_search_shows_its_size_and_when_it_will_be_done) {
  watchlab::sim::ExploreResult half;
  half.executions = 500;
  half.explored = 0.25;
  BOOST_TEST(progress_text(half, 10) == "500 runs, 25 % of about 2000; about 30 s to go");
  half.explored = 0.999;
  BOOST_TEST(progress_text(half, 1000) == "500 runs, 100 % of about 500; about 1 s to go");
  half.explored = 1e-6;
  BOOST_TEST(progress_text(half, 1) ==
             "500 runs, less than 0.001 % of about 500000000; about 11.6 days to go");
}

BOOST_AUTO_TEST_CASE(what_no_search_ends_is_said_without_powers_of_ten) {
  watchlab::sim::ExploreResult endless;
  endless.executions = 500;
  endless.explored = 1e-25;
  BOOST_TEST(progress_text(endless, 3) ==
             "500 runs of more than a billion; more than a year to go");
}

BOOST_AUTO_TEST_CASE(sampling_shows_how_likely_something_new_is) {
  watchlab::sim::ExploreResult seen;
  for (const std::uint64_t order : {1, 1, 1, 2}) {
    seen.coverage.add(order);
  }
  BOOST_TEST(progress_text(seen, 10) ==
             "2 orders in 4 runs; the next run shows something new with p ≈ 25 %");
}

BOOST_AUTO_TEST_SUITE_END()
