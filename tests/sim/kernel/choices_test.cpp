#include <boost/test/unit_test.hpp>
#include <chrono>
#include <optional>
#include <set>

#include "core/runtime/channel.hpp"
#include "core/runtime/ensure.hpp"
#include "core/runtime/select.hpp"
#include "core/runtime/task.hpp"
#include "core/runtime/timer.hpp"
#include "sim/explore/explore.hpp"
#include "sim/explore/replay_strategy.hpp"
#include "sim/kernel/world.hpp"

namespace watchlab::sim {
BOOST_AUTO_TEST_SUITE(choices_test)

namespace {

using namespace std::chrono_literals;
using runtime::Runtime;

/// What `body` returns in a hundred random schedules.
template <typename Body>
std::set<int> outcomes(const Body& body) {
  std::set<int> seen;
  const ExploreResult result = explore({.strategy = "random", .schedules_max = 100},
                                       [&](Runtime& runtime) { seen.insert(body(runtime)); });
  BOOST_TEST(!result.failure.has_value());
  return seen;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_rendezvous_takes_any_partner_who_waits_not_only_the_first) {
  const std::set<int> seen = outcomes([](Runtime& runtime) {
    const runtime::Channel<int> channel(runtime, 0);
    for (int i = 1; i <= 2; ++i) {
      runtime::spawn(runtime, "sender", [=] { channel.send(i); });
      runtime::sleep_for(runtime, 1s);  // The first waits for certain before the second comes.
    }
    const int first = *channel.receive();
    (void)channel.receive();
    return first;
  });
  BOOST_TEST(seen == (std::set<int>{1, 2}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_poll_can_miss_a_partner_who_is_about_to_sleep) {
  const std::set<int> seen = outcomes([](Runtime& runtime) {
    const runtime::Channel<int> channel(runtime, 0);
    runtime::spawn(runtime, "sender", [=] { channel.send(1); });
    runtime::sleep_for(runtime, 1s);
    std::optional<int> value;
    if (channel.try_receive(value)) {
      return 1;
    }
    (void)channel.receive();
    return 0;
  });
  BOOST_TEST(seen == (std::set<int>{0, 1}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_timer_without_delay_can_fire_before_a_sender_who_is_ready) {
  for (const auto delay : {0s, -1s}) {
    const std::set<int> seen = outcomes([delay](Runtime& runtime) {
      const runtime::Channel<int> values(runtime, 1);
      runtime::spawn(runtime, "sender", [=] { values.send(1); });
      const runtime::Timer timer(runtime, delay);
      runtime::Select choice(runtime);
      choice.receive(timer.channel()).receive(values);
      return static_cast<int>(choice.wait());
    });
    BOOST_TEST(seen == (std::set<int>{0, 1}), boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(a_timer_that_is_reset_without_delay_is_due_at_once) {
  const std::set<int> seen = outcomes([](Runtime& runtime) {
    runtime::Timer timer(runtime, 1h);
    runtime::ensure(timer.reset(0s), "an armed timer was reset and says that it was not armed");
    runtime.yield(runtime::Location::current());
    const bool stopped = timer.stop();
    const bool fired = timer.channel().size() == 1;
    runtime::ensure(stopped != fired, "a due timer was stopped and says that it had fired");
    return fired ? 1 : 0;
  });
  BOOST_TEST(seen == (std::set<int>{0, 1}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_digest_shows_what_was_chosen_though_the_steps_are_the_same) {
  const auto body = [](Runtime& runtime) { (void)runtime.choose(3, "a die"); };
  World world;
  std::set<std::uint64_t> digests;
  for (std::uint32_t index = 0; index < 3; ++index) {
    Schedule schedule;
    if (index > 0) {
      schedule.deviations = {{.is_switch = false, .at = "main", .ordinal = 1, .index = index}};
    }
    ReplayStrategy strategy(schedule, ReplayStrategy::Mode::Guided);
    digests.insert(world.run(strategy, body).digest);
  }
  BOOST_TEST(digests.size() == 3U);
}

BOOST_AUTO_TEST_CASE(time_jumps_early_no_more_often_than_it_may) {
  std::set<int> seen;
  const ExploreResult result =
      explore({.strategy = "random", .schedules_max = 2000, .early_advances_max = 1},
              [&](Runtime& runtime) {
                const runtime::TimePoint start = runtime.now();
                const runtime::Task sleeper = runtime::spawn(runtime, "sleeper", [&runtime] {
                  for (int i = 0; i < 3; ++i) {
                    runtime::sleep_for(runtime, 1h);
                  }
                });
                for (int i = 0; i < 12; ++i) {
                  runtime.yield(runtime::Location::current());
                }
                seen.insert(static_cast<int>((runtime.now() - start) / 1h));
                sleeper.join();
              });
  BOOST_TEST(!result.failure.has_value());
  BOOST_TEST(seen == (std::set<int>{0, 1}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::sim
