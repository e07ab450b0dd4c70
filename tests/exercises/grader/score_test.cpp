#include "exercises/grader/score.hpp"

#include <boost/test/unit_test.hpp>
#include <numeric>

namespace watchlab::course {
BOOST_AUTO_TEST_SUITE(score_test)

namespace {

BOOST_AUTO_TEST_CASE(the_score_is_what_is_noticed_times_what_counts) {
  const SuiteScore score = score_of(3, 4, {{1, true}, {3, false}});
  BOOST_TEST(score.validity == 0.75);
  BOOST_TEST(score.thoroughness == 0.25);
  BOOST_TEST(score.points == 18.75);
}

BOOST_AUTO_TEST_CASE(invalid_tests_cost_at_most_half) {
  BOOST_TEST(score_of(1, 10, {{1, true}}).points == 50);
}

BOOST_AUTO_TEST_CASE(without_a_valid_test_there_are_no_points) {
  BOOST_TEST(score_of(0, 5, {{1, true}}).points == 0);
  BOOST_TEST(score_of(0, 0, {{1, true}}).points == 0);
}

BOOST_AUTO_TEST_CASE(whole_shares_add_up_to_the_rounded_sum) {
  const auto shares = whole_shares({100.0 / 3, 100.0 / 3, 100.0 / 3});
  BOOST_TEST(std::accumulate(shares.begin(), shares.end(), 0L) == 100);
  for (const long share : shares) {
    BOOST_TEST((share == 33 || share == 34));
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace watchlab::course
