#include "sim/trace/waits.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cstddef>
#include <stdexcept>

#include "core/runtime/channel.hpp"
#include "sim/kernel/schedule.hpp"
#include "tests/sim/trace/stories.hpp"

namespace watchlab::tests {

using sim::Waits;

BOOST_AUTO_TEST_SUITE(waits_test)

BOOST_AUTO_TEST_CASE(a_deadlock_shows_its_circle_with_locks_and_holders) {
  const auto waits = sim::find_waits(failing_schedule(two_orders), two_orders, std::nullopt);
  BOOST_REQUIRE(waits.has_value());
  BOOST_TEST(waits->indefinite);
  BOOST_TEST(waits->ready.empty());
  BOOST_REQUIRE(waits->waiting.size() == 2U);
  for (const sim::WaitingTask& task : waits->waiting) {
    BOOST_TEST(task.in_circle);
    BOOST_TEST(task.wants == "lock");
    BOOST_TEST(task.place.starts_with("stories.hpp:"));
    BOOST_TEST(says(task.because, "holds since step"), task.because);
    BOOST_REQUIRE(task.releasers.size() == 1U);
    BOOST_TEST(task.releasers.front() != task.task);
  }
}

BOOST_AUTO_TEST_CASE(the_picture_has_an_arrow_from_each_task_to_its_lock_and_on_to_the_holder) {
  const auto waits = sim::find_waits(failing_schedule(two_orders), two_orders, std::nullopt);
  BOOST_REQUIRE(waits.has_value());
  const std::string dot = sim::waits_dot(*waits, "two orders");
  BOOST_TEST(says(dot,
                  "two orders\\lWho waits for whom, at the end of the run, indefinitely: 2 wait, "
                  "no task can continue\\l"),
             dot);
  BOOST_TEST(says(dot, "\"main/other\" -> \"object main/@1queue\""), dot);
  BOOST_TEST(says(dot, "\"object main/@1queue\" -> \"main\""), dot);
  BOOST_TEST(says(dot, "mutex 'queue'\\nwhich main holds since step"), dot);
}

BOOST_AUTO_TEST_CASE(a_run_that_ends_shows_the_moment_at_which_most_tasks_wait) {
  const auto waits = sim::find_waits(default_schedule(two_readers), two_readers, std::nullopt);
  BOOST_REQUIRE(waits.has_value());
  BOOST_TEST(!waits->indefinite);
  BOOST_REQUIRE(waits->waiting.size() == 1U);
  BOOST_TEST(waits->waiting.front().task == "main");
  BOOST_TEST(waits->waiting.front().wants == "join");
  BOOST_TEST(waits->waiting.front().releasers.front() == "main/other");
}

/// One task waits for a channel to which the other one sends when it has slept.
void late_sender(runtime::Runtime& runtime) {
  runtime::Channel<int> values(runtime, 0, "values");
  const runtime::Task reader =
      runtime::spawn(runtime, "late reader", [&] { (void)values.receive(); });
  runtime::sleep_for(runtime, std::chrono::seconds(1));
  values.send(1);
  reader.join();
}

BOOST_AUTO_TEST_CASE(while_a_run_continues_no_task_is_called_beyond_help) {
  const std::string schedule = default_schedule(late_sender);
  std::string dot;
  for (std::size_t step = 1; !says(dot, "channel 'values'"); ++step) {
    const auto waits = sim::find_waits(schedule, late_sender, step);
    BOOST_REQUIRE(waits.has_value());
    dot = sim::waits_dot(*waits, "late");
  }
  BOOST_TEST(!says(dot, "is left that would"), dot);
  BOOST_TEST(says(dot, "label=\"main/late reader\""), dot);
}

BOOST_AUTO_TEST_CASE(a_step_can_be_named_and_must_be_one_of_the_run) {
  const std::string schedule = default_schedule(two_readers);
  const auto first = sim::find_waits(schedule, two_readers, 1);
  BOOST_REQUIRE(first.has_value());
  BOOST_TEST(first->waiting.empty());
  BOOST_TEST(!sim::find_waits(schedule, two_readers, 1'000).has_value());
}

BOOST_AUTO_TEST_CASE(a_schedule_of_another_program_is_refused) {
  BOOST_CHECK_THROW((void)sim::find_waits(failing_schedule(two_orders), two_readers, std::nullopt),
                    std::invalid_argument);
  BOOST_CHECK_THROW((void)sim::find_waits("nonsense", two_readers, std::nullopt),
                    sim::InvalidSchedule);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
