// What would end a process of threads is a finding of a run: guards that unlock in vain, exceptions
// that leave noexcept functions, and waits in these when a world is taken down.
#include <boost/test/unit_test.hpp>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

#include "core/runtime/channel.hpp"
#include "core/runtime/ensure.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/shared_mutex.hpp"
#include "core/runtime/task.hpp"
#include "core/runtime/wait_group.hpp"
#include "sim/explore/explore.hpp"
#include "sim/std/mutex.hpp"
#include "sim/std/thread.hpp"

namespace watchlab::sim {
BOOST_AUTO_TEST_SUITE(termination_test)

namespace {

using runtime::Runtime;
using Body = std::function<void(Runtime&)>;

/// Every strategy finds it, and its schedule replays.
void check_found(const Body& body, const std::string& kind, const std::string& words) {
  for (const char* const strategy : {"random", "pct", "dfs", "dpor"}) {
    const ExploreResult result = explore({.strategy = strategy}, body);
    BOOST_REQUIRE(result.failure);
    BOOST_TEST(result.failure->kind == kind);
    BOOST_TEST(result.failure->sentence.find(words) != std::string::npos,
               "'" << words << "' is not in: " << result.failure->sentence);
    const std::optional<Failure> again = replay(result.failure->schedule, body);
    BOOST_REQUIRE(again);
    BOOST_TEST(again->sentence == result.failure->sentence);
  }
}

void throw_sharp() { throw std::runtime_error("sharp"); }

/// Throws in its destructor.
struct Thrower {
  explicit Thrower(std::function<void()> last) : last(std::move(last)) {}
  Thrower(const Thrower&) = delete;
  Thrower& operator=(const Thrower&) = delete;
  ~Thrower() { last(); }
  std::function<void()> last;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_guard_whose_mutex_another_task_unlocked_is_a_finding_with_both_lines) {
  check_found(
      [](Runtime& runtime) {
        runtime::Mutex mutex(runtime, "m");
        const runtime::Lock lock(mutex);
        runtime::spawn(runtime, "t", [&] { mutex.unlock(); }).join();
      },
      "violation",
      "a guard of task main that locked mutex 'm' (termination_test.cpp:58) unlocks it in vain: it "
      "is not locked any more; main/t unlocked it at step 4 (termination_test.cpp:59)");
}

BOOST_AUTO_TEST_CASE(so_is_a_guard_of_a_writer_or_a_reader) {
  check_found(
      [](Runtime& runtime) {
        runtime::SharedMutex mutex(runtime, "m");
        const runtime::WriteLock lock(mutex);
        runtime::spawn(runtime, "t", [&] { mutex.unlock(); }).join();
      },
      "violation", "main/t unlocked it at step");
  check_found(
      [](Runtime& runtime) {
        runtime::SharedMutex mutex(runtime, "m");
        const runtime::ReadLock lock(mutex);
        runtime::spawn(runtime, "t", [&] { mutex.unlock_shared(); }).join();
      },
      "violation", "main/t unlocked it at step");
}

BOOST_AUTO_TEST_CASE(a_guard_of_the_standards_kind_names_who_unlocked_and_who_held) {
  check_found(
      [](Runtime&) {
        stdx::mutex mutex;
        const stdx::lock_guard lock(mutex);
        stdx::thread other([&] { mutex.unlock(); });
        other.join();
      },
      "violation", "which it does not hold (termination_test.cpp:88); main has held it since step");
}

BOOST_AUTO_TEST_CASE(a_panic_in_a_destructor_is_a_finding) {
  check_found(
      [](Runtime& runtime) {
        runtime::WaitGroup group(runtime, "g");
        const Thrower last([&] { group.done(); });
      },
      "exception", "let an exception leave a noexcept function after its last operation");
  check_found(
      [](Runtime& runtime) {
        runtime::Channel<int> channel(runtime, 0, "c");
        const Thrower last([&] { channel.close(); });
        channel.close();
      },
      "exception", "close of channel 'c', which is closed");
}

BOOST_AUTO_TEST_CASE(an_exception_that_leaves_a_noexcept_function_is_a_finding) {
  check_found(
      [](Runtime& runtime) {
        const auto sharp = [&]() noexcept {
          runtime.yield(runtime::Location::current());
          throw_sharp();
        };
        runtime::spawn(runtime, "t", [&] { sharp(); }).join();
      },
      "exception", "sharp");
  check_found(
      [](Runtime&) {
        const auto check = []() noexcept { runtime::ensure(false, "one is two"); };
        check();
      },
      "violation", "one is two");
}

BOOST_AUTO_TEST_CASE(a_call_of_terminate_is_a_finding) {
  check_found([](Runtime&) { std::terminate(); }, "exception",
              "task main called std::terminate after its last operation");
}

BOOST_AUTO_TEST_CASE(a_world_is_taken_down_while_a_noexcept_function_waits) {
  const Body body = [](Runtime& runtime) {
    runtime::Mutex mutex(runtime, "m");
    runtime::Channel<int> channel(runtime, 0, "c");
    const auto wait = [&]() noexcept { (void)channel.receive(); };
    runtime::spawn(runtime, "t", [&] { wait(); });
    const Thrower last([&] { (void)channel.receive(); });
    mutex.lock();
    mutex.lock();
  };
  check_found(body, "deadlock", "main waits for itself");
  const ExploreResult all =
      explore({.strategy = "random", .schedules_max = 200, .continues = true}, body);
  BOOST_TEST(all.executions == 200);
}

BOOST_AUTO_TEST_CASE(a_stop_callback_may_be_awaited_while_a_world_is_taken_down) {
  check_found(
      [](Runtime& runtime) {
        stdx::stop_source source;
        runtime::Channel<int> never(runtime, 0, "never");
        const stdx::thread requester([&] { source.request_stop(); });
        {
          const stdx::stop_callback callback(source.get_token(), [&] { (void)never.receive(); });
          runtime.yield(runtime::Location::current());
        }
        (void)never.receive();
      },
      "deadlock", "channel 'never'");
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace watchlab::sim
