#include <boost/test/unit_test.hpp>

#include "sim/kernel/sim_task.hpp"

namespace watchlab::sim {
BOOST_AUTO_TEST_SUITE(occurrences_test)

BOOST_AUTO_TEST_CASE(each_is_counted_for_itself_few_or_many) {
  Occurrences occurrences;
  for (std::uint32_t round = 1; round <= 3; ++round) {
    for (std::uint64_t digest = 100; digest < 140; ++digest) {
      BOOST_TEST(occurrences.next(digest) == round);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace watchlab::sim
