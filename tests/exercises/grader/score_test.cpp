#include <boost/test/unit_test.hpp>
#include <numeric>
#include <vector>

#include "exercises/grader/grade.hpp"

namespace watchlab::course {

BOOST_AUTO_TEST_SUITE(score_test)

BOOST_AUTO_TEST_CASE(whole_points_add_up_to_the_rounded_sum) {
  const double third = 100.0 / 3;
  const WholePoints all = whole_points({third, third, third}, {third, third, third});
  BOOST_TEST(std::accumulate(all.points.begin(), all.points.end(), 0L) == 100);
  for (const long share : all.points) {
    BOOST_TEST((share == 33 || share == 34));
  }
  BOOST_TEST(all.points == all.most, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_was_got_is_rounded_up_and_what_was_not_is_rounded_down) {
  const double third = 100.0 / 3;
  const WholePoints two = whole_points({0, third, third}, {third, third, third});
  BOOST_TEST(two.points == (std::vector<long>{0, 34, 33}), boost::test_tools::per_element());
  BOOST_TEST(two.most == (std::vector<long>{33, 34, 33}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::course
