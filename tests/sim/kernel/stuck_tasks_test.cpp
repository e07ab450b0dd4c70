// A circle of waits is a deadlock although timers or other tasks go on; what another task may still
// release is none.
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <functional>
#include <string>

#include "core/runtime/channel.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/task.hpp"
#include "core/runtime/timer.hpp"
#include "sim/explore/explore.hpp"
#include "sim/std/mutex.hpp"
#include "sim/std/thread.hpp"

namespace watchlab::sim {
BOOST_AUTO_TEST_SUITE(stuck_tasks_test)

namespace {

using namespace std::chrono_literals;
using runtime::Runtime;
using Body = std::function<void(Runtime&)>;

void check_deadlock(const Body& body, const std::string& words) {
  for (const char* const strategy : {"random", "pct", "dfs", "dpor"}) {
    const ExploreResult result = explore({.strategy = strategy}, body);
    BOOST_REQUIRE(result.failure);
    BOOST_TEST(result.failure->kind == "deadlock", strategy << ": " << result.failure->sentence);
    BOOST_TEST(result.failure->steps < 30'000U);
    BOOST_TEST(result.failure->sentence.find(words) != std::string::npos,
               "'" << words << "' is not in: " << result.failure->sentence);
    const std::optional<Failure> again = replay(result.failure->schedule, body);
    BOOST_REQUIRE(again);
    BOOST_TEST(again->sentence == result.failure->sentence);
  }
}

void check_held(const Body& body) {
  for (const char* const strategy : {"random", "dfs", "dpor"}) {
    const ExploreResult result = explore({.strategy = strategy, .schedules_max = 200}, body);
    BOOST_TEST(!result.failure,
               strategy << ": " << (result.failure ? result.failure->sentence : "held"));
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_mutex_taken_twice_beside_a_ticker_is_a_deadlock) {
  check_deadlock(
      [](Runtime& runtime) {
        const runtime::Ticker ticker(runtime, 1s);
        runtime::Mutex mutex(runtime, "m");
        mutex.lock();
        mutex.lock();
      },
      "main waits for itself");
}

BOOST_AUTO_TEST_CASE(a_circle_beside_a_server_that_ticks_is_a_deadlock) {
  check_deadlock(
      [](Runtime& runtime) {
        runtime::Ticker ticker(runtime, 1s);
        runtime::spawn(runtime, "server", [&] {
          for (;;) {
            (void)ticker.channel().receive();
          }
        });
        runtime::Mutex a(runtime, "a");
        runtime::Mutex b(runtime, "b");
        runtime::Channel<int> both(runtime, 0, "both");
        const runtime::Task other = runtime::spawn(runtime, "other", [&] {
          const runtime::Lock first(b);
          both.send(1);
          const runtime::Lock second(a);
        });
        const runtime::Lock first(a);
        (void)both.receive();
        const runtime::Lock second(b);
      },
      "main -> main/other -> main wait for each other in a circle");
}

BOOST_AUTO_TEST_CASE(a_circle_of_the_standards_mutexes_beside_a_busy_thread_is_a_deadlock) {
  check_deadlock(
      [](Runtime& runtime) {
        stdx::mutex mutex;
        const runtime::Task busy = runtime::spawn(runtime, "busy", [&] {
          for (;;) {
            runtime.yield(runtime::Location::current());
          }
        });
        mutex.lock();
        stdx::thread other([&] { const stdx::lock_guard lock(mutex); });
        other.join();
      },
      "main -> main/thread -> main wait for each other in a circle");
}

BOOST_AUTO_TEST_CASE(what_another_task_unlocks_later_is_no_deadlock) {
  check_held([](Runtime& runtime) {
    runtime::Mutex mutex(runtime, "m");
    mutex.lock();
    const runtime::Task other = runtime::spawn(runtime, "other", [&] {
      runtime::sleep_for(runtime, 1h);
      mutex.unlock();
    });
    const runtime::Ticker ticker(runtime, 1min);
    mutex.lock();
    mutex.unlock();
    other.join();
  });
}

BOOST_AUTO_TEST_CASE(what_a_sleeper_holds_is_no_deadlock) {
  check_held([](Runtime& runtime) {
    runtime::Mutex mutex(runtime, "m");
    const runtime::Task other = runtime::spawn(runtime, "other", [&] {
      const runtime::Lock lock(mutex);
      const runtime::Ticker ticker(runtime, 1min);
      runtime::sleep_for(runtime, 1h);
    });
    { const runtime::Lock lock(mutex); }
    other.join();
  });
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace watchlab::sim
