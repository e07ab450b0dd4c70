// Four classic mistakes, planted: exploration finds each, names what is wrong, and replays it.
#include <boost/test/unit_test.hpp>
#include <memory>

#include "core/runtime/channel.hpp"
#include "core/runtime/cond_var.hpp"
#include "core/runtime/task.hpp"
#include "sim/explore/explore.hpp"

namespace watchlab::sim {
BOOST_AUTO_TEST_SUITE(planted_bugs_test)

namespace {

using runtime::Lock;
using runtime::Runtime;
using runtime::Task;
using Body = std::function<void(Runtime&)>;

void two_locks_in_two_orders(Runtime& runtime) {
  runtime::Mutex store(runtime, "store");
  runtime::Mutex queue(runtime, "queue");
  const Task reader = spawn(runtime, "reader", [&] {
    const Lock first(store);
    const Lock second(queue);
  });
  const Task writer = spawn(runtime, "writer", [&] {
    const Lock first(queue);
    const Lock second(store);
  });
  reader.join();
  writer.join();
}

void a_check_outside_of_the_lock(Runtime& runtime) {
  runtime::Mutex mutex(runtime, "mutex");
  runtime::CondVar closed(runtime, "closed");
  bool is_closed = false;
  const Task popper = spawn(runtime, "popper", [&] {
    bool seen = false;
    {
      const Lock lock(mutex);
      seen = is_closed;
    }
    if (!seen) {
      Lock lock(mutex);
      closed.wait(lock);
    }
  });
  {
    const Lock lock(mutex);
    is_closed = true;
  }
  closed.notify_all();
  popper.join();
}

void a_receiver_that_no_task_serves(Runtime& runtime) {
  const runtime::Channel<int> events(runtime, 0, "events");
  spawn(runtime, "watcher", [events]() mutable { events.receive(); });
}

void two_tasks_that_wait_politely(Runtime& runtime) {
  runtime::Mutex left(runtime, "left");
  runtime::Mutex right(runtime, "right");
  const auto take_both = [&runtime](runtime::Mutex& mine, runtime::Mutex& other) {
    for (;;) {
      const Lock lock(mine);
      if (other.try_lock()) {
        other.unlock();
        return;
      }
      // Keeps what it has and tries again: the other one does the same.
      while (!other.try_lock()) {
        runtime.yield(runtime::Location::current());
      }
      other.unlock();
      return;
    }
  };
  const Task one = spawn(runtime, "one", [&] { take_both(left, right); });
  const Task two = spawn(runtime, "two", [&] { take_both(right, left); });
  one.join();
  two.join();
}

Failure find(const Body& body) {
  const ExploreResult result =
      explore({.strategy = "random", .schedules_max = 10'000, .steps_max = 5'000}, body);
  BOOST_REQUIRE(result.failure.has_value());
  return *result.failure;
}

void check_report(const Failure& failure, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    BOOST_TEST(failure.sentence.find(word) != std::string::npos,
               "'" << word << "' is not in: " << failure.sentence);
  }
}

void check_replays(const Failure& failure, const Body& body) {
  for (int i = 0; i < 100; ++i) {
    const std::optional<Failure> again = replay(failure.schedule, body);
    BOOST_REQUIRE(again.has_value());
    BOOST_REQUIRE(again->kind == failure.kind);
    BOOST_REQUIRE(again->sentence == failure.sentence);
    BOOST_REQUIRE(again->steps == failure.steps);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_deadlock_is_found_and_its_circle_is_named) {
  const Failure failure = find(two_locks_in_two_orders);
  BOOST_TEST(failure.kind == "deadlock");
  check_report(failure, {"wait for each other in a circle", "main/reader waits for mutex 'queue'",
                         "which main/writer holds since step", "planted_bugs_test.cpp:",
                         "main/writer waits for mutex 'store'", "deadlock at step"});
  check_replays(failure, two_locks_in_two_orders);
}

BOOST_AUTO_TEST_CASE(a_lost_wakeup_is_found_and_its_two_steps_are_named) {
  const Failure failure = find(a_check_outside_of_the_lock);
  BOOST_TEST(failure.kind == "deadlock");
  check_report(failure,
               {"main/popper waits on condition 'closed'", "a lost wake-up: main notified at step",
                "when no task waited; this wait began at step", "planted_bugs_test.cpp:"});
  check_replays(failure, a_check_outside_of_the_lock);
}

BOOST_AUTO_TEST_CASE(a_leaked_task_is_found_and_named_with_its_start) {
  const Failure failure = find(a_receiver_that_no_task_serves);
  BOOST_TEST(failure.kind == "leak");
  check_report(failure, {"main/watcher was started at planted_bugs_test.cpp:",
                         "main/watcher waits to receive from channel 'events'",
                         "no task is left that would send to it or close it"});
  check_replays(failure, a_receiver_that_no_task_serves);
}

BOOST_AUTO_TEST_CASE(a_livelock_is_found_and_the_busy_tasks_are_named) {
  const Failure failure = find(two_tasks_that_wait_politely);
  BOOST_TEST(failure.kind == "livelock");
  BOOST_TEST(failure.steps < 100U);
  check_report(failure, {"every task that can run repeats what it did",
                         "main/one repeats: try to lock mutex 'right' (planted_bugs_test.cpp:",
                         "main/two repeats: try to lock mutex 'left'", "yield"});
  check_replays(failure, two_tasks_that_wait_politely);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::sim
