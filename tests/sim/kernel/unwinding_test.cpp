// A run that failed gives back what it held, whatever stood in the way of its tasks' ends.
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/runtime/channel.hpp"
#include "core/runtime/ensure.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/shared_mutex.hpp"
#include "core/runtime/task.hpp"
#include "sim/explore/explore.hpp"
#include "sim/kernel/fiber.hpp"
#include "sim/std/mutex.hpp"
#include "sim/std/thread.hpp"

namespace watchlab::sim {
BOOST_AUTO_TEST_SUITE(unwinding_test)

namespace {

using runtime::Runtime;

std::atomic<int> alive = 0;  // tasks are threads to ThreadSanitizer

/// Counts those that live: what a frame owns and must give back.
struct Counted {
  Counted() { ++alive; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  ~Counted() { --alive; }
};

/// Plays it many times, failing each time in that way, and sees that nothing is left.
void check_gives_back(const std::string& kind, const std::function<void(Runtime&)>& body) {
  alive = 0;
  const ExploreResult result =
      explore({.strategy = "random", .schedules_max = 50, .continues = true}, body);
  BOOST_REQUIRE(result.failure);
  BOOST_TEST(result.failure->kind == kind, result.failure->sentence);
  BOOST_TEST(result.executions == 50U);
#if !defined(WATCHLAB_ASAN) && !defined(WATCHLAB_TSAN)
  BOOST_TEST(alive.load() == 0);
#endif
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_deadlock_gives_back_what_its_tasks_held) {
  check_gives_back("deadlock", [](Runtime& runtime) {
    runtime::Channel<int> never(runtime, 0, "never");
    const Counted mine;
    runtime::spawn(runtime, "t", [&] {
      const Counted theirs;
      (void)never.receive();
    });
    (void)never.receive();
  });
}

BOOST_AUTO_TEST_CASE(a_leaked_task_gives_back_what_it_held) {
  check_gives_back("leak", [](Runtime& runtime) {
    const auto channel = std::make_shared<runtime::Channel<int>>(runtime, 0, "ch");
    runtime::spawn(runtime, "t", [channel] {
      const Counted theirs;
      channel->send(1);
    });
  });
}

BOOST_AUTO_TEST_CASE(so_does_one_that_uses_what_lay_in_the_frames_of_the_root) {
  check_gives_back("violation", [](Runtime& runtime) {  // the mutexes go while they are locked
    runtime::Channel<int> channel(runtime, 0, "ch");
    runtime::Mutex mutex(runtime, "m");
    runtime::SharedMutex shared(runtime, "s");
    stdx::mutex standard;
    runtime::Channel<int> started(runtime, 0, "started");
    runtime::spawn(runtime, "t", [&, channel, started] {
      const Counted theirs;
      const runtime::Lock lock(mutex);
      const runtime::ReadLock read(shared);
      started.send(1);
      channel.send(1);
    });
    runtime::spawn(runtime, "u", [&, channel, started] {
      const Counted theirs;
      const stdx::lock_guard lock(standard);
      runtime::spawn(runtime, "v", [channel] {
        const Counted more;
        channel.send(2);
      });
      started.send(1);
    });
    (void)started.receive();
    (void)started.receive();
  });
}

BOOST_AUTO_TEST_CASE(tasks_end_before_the_frames_of_one_that_throws) {
  const auto spawn_user = [](Runtime& runtime, std::set<int>& numbers) {
    runtime::spawn(runtime, "t", [&] {
      const Counted theirs;
      struct Entry {
        std::set<int>& numbers;
        ~Entry() { numbers.erase(1); }
      } entry{numbers};
      numbers.insert(1);
      runtime::Channel<int>(runtime, 0, "never").receive();
    });
    runtime.yield(runtime::Location::current());
    runtime.yield(runtime::Location::current());
  };
  check_gives_back("violation", [&](Runtime& runtime) {
    std::set<int> numbers;
    spawn_user(runtime, numbers);
    runtime::ensure(false, "one is two");
  });
  check_gives_back("exception", [&](Runtime& runtime) {
    std::set<int> numbers;
    spawn_user(runtime, numbers);
    throw std::runtime_error("no");
  });
}

#if !defined(WATCHLAB_ASAN) && !defined(WATCHLAB_TSAN)
BOOST_AUTO_TEST_CASE(a_destructor_that_looks_into_dead_frames_harms_no_one) {
  alive = 0;
  const auto body = [](Runtime& runtime) {
    std::set<int> numbers;
    runtime::Channel<int> started(runtime, 0, "started");
    runtime::spawn(runtime, "t", [&, started] {
      struct Entry {
        std::set<int>& numbers;
        ~Entry() { numbers.erase(1); }
      };
      const Counted outer;
      numbers.insert(1);
      const Entry entry{numbers};
      const Counted inner;
      started.send(1);
      runtime::Channel<int>(runtime, 0, "never").receive();
    });
    (void)started.receive();
  };
  const ExploreResult result = explore(
      {.strategy = "random", .schedules_max = 50, .repeats = false, .continues = true}, body);
  BOOST_REQUIRE(result.failure);
  BOOST_TEST(result.failure->kind == "leak");
  BOOST_TEST(result.executions == 50U);
  BOOST_TEST(result.lost_tasks >= 50U);
  BOOST_TEST(alive.load() == static_cast<int>(result.lost_tasks));  // the outer one of each
}
#endif

BOOST_AUTO_TEST_SUITE_END()
}  // namespace watchlab::sim
