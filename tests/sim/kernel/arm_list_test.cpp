#include <boost/test/unit_test.hpp>
#include <memory>
#include <vector>

#include "sim/explore/random_numbers.hpp"
#include "sim/kernel/primitives/channel_parts.hpp"
#include "sim/kernel/scheduler.hpp"

namespace watchlab::sim {
BOOST_AUTO_TEST_SUITE(arm_list_test)

BOOST_AUTO_TEST_CASE(arms_keep_the_order_of_arrival_few_or_many) {
  Scheduler scheduler;
  std::vector<std::unique_ptr<SimTask>> tasks;
  for (int i = 0; i < 7; ++i) {
    tasks.push_back(std::make_unique<SimTask>(scheduler, Identity{}, runtime::Location::current()));
  }
  RandomNumbers numbers(11);
  for (int round = 0; round < 50; ++round) {
    ArmList list;
    std::vector<PublishedArm> expected;
    for (std::size_t i = 0; i < 40; ++i) {
      SimTask& task = *tasks[numbers.below(7)];
      if (numbers.below(3) == 0) {
        list.remove(task);
        std::erase_if(expected, [&](const PublishedArm& arm) { return arm.task == &task; });
      } else {
        list.add(task, i);
        expected.push_back({&task, i});
      }
      BOOST_REQUIRE(list.size() == expected.size());
      BOOST_TEST(list.empty() == expected.empty());
      std::size_t place = 0;
      for (const PublishedArm& arm : list) {
        BOOST_TEST(arm.task == expected[place].task);
        BOOST_TEST(arm.index == expected[place].index);
        ++place;
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace watchlab::sim
