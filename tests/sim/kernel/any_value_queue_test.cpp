#include <boost/test/unit_test.hpp>
#include <deque>
#include <memory>

#include "sim/explore/random_numbers.hpp"
#include "sim/kernel/primitives/channel_parts.hpp"

namespace watchlab::sim {
BOOST_AUTO_TEST_SUITE(any_value_queue_test)

BOOST_AUTO_TEST_CASE(values_come_out_in_the_order_in_which_they_went_in) {
  RandomNumbers numbers(5);
  AnyValueQueue queue;
  std::deque<int> expected;
  for (int i = 0; i < 3000; ++i) {
    // Grows for a while, shrinks for a while, and is often empty.
    const bool pushes = numbers.below(10) < (i / 200 % 2 == 0 ? 6U : 4U);
    if (pushes) {
      queue.push(runtime::AnyValue::of(i));
      expected.push_back(i);
    } else if (!expected.empty()) {
      BOOST_TEST(queue.pop().unpack<int>().value() == expected.front());
      expected.pop_front();
    }
    BOOST_TEST(queue.size() == expected.size());
    BOOST_TEST(queue.empty() == expected.empty());
  }
}

BOOST_AUTO_TEST_CASE(what_was_taken_is_not_kept_and_what_was_not_ends_with_the_queue) {
  const auto value = std::make_shared<int>(1);
  {
    AnyValueQueue queue;
    for (int i = 0; i < 5; ++i) {
      queue.push(runtime::AnyValue::of(value));
    }
    for (int left = 4; left >= 2; --left) {
      (void)queue.pop();
      BOOST_TEST(value.use_count() == left + 1);
    }
  }
  BOOST_TEST(value.use_count() == 1);
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace watchlab::sim
