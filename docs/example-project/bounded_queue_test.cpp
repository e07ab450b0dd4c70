#define BOOST_TEST_MODULE bounded_queue
#include "bounded_queue.hpp"

#include <boost/test/unit_test.hpp>
#include <core/runtime/ensure.hpp>
#include <core/runtime/task.hpp>
#include <functional>
#include <sim/explain/explain.hpp>
#include <sim/explore/explore.hpp>
#include <sim/explore/requested_replay.hpp>
#include <string>
#include <vector>

namespace {

namespace runtime = watchlab::runtime;
namespace sim = watchlab::sim;

/// Plays the body under many schedules; a failing one fails the case, with what to do about it.
void holds_in_every_order(const std::function<void(runtime::Runtime&)>& body) {
  const sim::ExploreResult result =
      sim::explore({.strategy = "random", .schedules_max = 10'000}, body);
  if (!result.failure) {
    return;
  }
  namespace framework = boost::unit_test::framework;
  const sim::Failure shortest = sim::shrink(*result.failure, body);
  BOOST_ERROR(shortest.sentence << "\n\n"
                                << sim::explain_in_short(shortest.schedule, body)
                                << "\n\nTo play it again:\n"
                                << sim::replay_line(shortest.schedule,
                                                    framework::master_test_suite().argv[0],
                                                    framework::current_test_case().full_name()));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bounded_queue_test)

BOOST_AUTO_TEST_CASE(all_that_is_pushed_is_popped) {
  holds_in_every_order([](runtime::Runtime& runtime) {
    BoundedQueue queue(runtime, 1);
    int sum = 0;  // of the numbers that the consumers have popped: each joins before it is read
    std::vector<runtime::Task> tasks;
    for (int i = 0; i < 2; ++i) {
      tasks.push_back(runtime::spawn(runtime, "producer", [&] {
        queue.push(1);
        queue.push(2);
      }));
      tasks.push_back(
          runtime::spawn(runtime, "consumer", [&] { sum += queue.pop() + queue.pop(); }));
    }
    for (const runtime::Task& task : tasks) {
      task.join();
    }
    runtime::ensure(sum == 6, "every number comes out once");
  });
}

BOOST_AUTO_TEST_CASE(one_producer_and_one_consumer_keep_the_order) {
  holds_in_every_order([](runtime::Runtime& runtime) {
    BoundedQueue queue(runtime, 2);
    const runtime::Task producer = runtime::spawn(runtime, "producer", [&] {
      for (int number = 1; number <= 4; ++number) {
        queue.push(number);
      }
    });
    for (int number = 1; number <= 4; ++number) {
      runtime::ensure(queue.pop() == number, "numbers come out in their order");
    }
    producer.join();
  });
}

BOOST_AUTO_TEST_SUITE_END()
