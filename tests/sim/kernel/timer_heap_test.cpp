#include "sim/kernel/timer_heap.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <vector>

#include "sim/explore/random_numbers.hpp"

namespace watchlab::sim {
BOOST_AUTO_TEST_SUITE(timer_heap_test)

namespace {

runtime::TimePoint at(std::int64_t nanoseconds) {
  return runtime::TimePoint(std::chrono::nanoseconds(nanoseconds));
}

}  // namespace

BOOST_AUTO_TEST_CASE(equal_deadlines_come_in_the_order_of_arrival) {
  TimerHeap heap;
  std::vector<Deadline> deadlines(20);
  for (Deadline& deadline : deadlines) {
    heap.push(deadline, at(5));
  }
  for (Deadline& deadline : deadlines) {
    BOOST_TEST(&heap.pop() == &deadline);
  }
  BOOST_TEST(heap.empty());
}

BOOST_AUTO_TEST_CASE(pushes_and_removals_in_any_order_leave_the_rest_sorted) {
  RandomNumbers numbers(3);
  for (int round = 0; round < 200; ++round) {
    TimerHeap heap;
    std::vector<Deadline> deadlines(1 + numbers.below(60));
    std::vector<std::int64_t> expected;
    for (Deadline& deadline : deadlines) {
      const std::int64_t when = numbers.below(30);
      heap.push(deadline, at(when));
      if (numbers.below(3) == 0) {
        heap.remove(deadline);
        BOOST_TEST(!deadline.armed());
      } else {
        expected.push_back(when);
      }
    }
    std::sort(expected.begin(), expected.end());
    std::vector<std::int64_t> found;
    while (!heap.empty()) {
      found.push_back(heap.earliest().time_since_epoch().count());
      heap.pop();
    }
    BOOST_TEST(found == expected, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(removals_from_the_middle_leave_the_rest_sorted) {
  RandomNumbers numbers(5);
  for (int round = 0; round < 200; ++round) {
    TimerHeap heap;
    std::vector<Deadline> deadlines(100);
    std::vector<std::int64_t> moments;
    for (Deadline& deadline : deadlines) {
      moments.push_back(numbers.below(1000));
      heap.push(deadline, at(moments.back()));
    }
    std::vector<std::int64_t> expected;
    for (std::size_t i = 0; i < deadlines.size(); ++i) {
      if (numbers.below(2) == 0) {
        heap.remove(deadlines[i]);
      } else {
        expected.push_back(moments[i]);
      }
    }
    std::sort(expected.begin(), expected.end());
    std::vector<std::int64_t> found;
    while (!heap.empty()) {
      found.push_back(heap.earliest().time_since_epoch().count());
      heap.pop();
    }
    BOOST_TEST(found == expected, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::sim
