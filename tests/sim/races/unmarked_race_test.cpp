// Memory that no `Shared` marks: under ThreadSanitizer (build/tsan) tasks are threads to it, though
// they run on one. In other builds these bodies must simply hold.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <functional>
#include <vector>

#include "core/runtime/channel.hpp"
#include "core/runtime/cond_var.hpp"
#include "core/runtime/shared_mutex.hpp"
#include "core/runtime/stop_token.hpp"
#include "core/runtime/timer.hpp"
#include "core/runtime/wait_group.hpp"
#include "sim/explore/explore.hpp"
#include "sim/kernel/fiber.hpp"

namespace watchlab::sim {
BOOST_AUTO_TEST_SUITE(unmarked_race_test)

namespace {

using namespace std::chrono_literals;
using runtime::Channel;
using runtime::Lock;
using runtime::Runtime;
using runtime::Task;
using Body = std::function<void(Runtime&)>;

#if defined(WATCHLAB_TSAN)
constexpr int kReported = 66;  // ThreadSanitizer's exit code
constexpr std::size_t kSchedules = 20;
#else
constexpr int kReported = 0;
constexpr std::size_t kSchedules = 100;
#endif

/// Dies of the first report when ThreadSanitizer is there.
void is_silent(const Body& body) {
  const ExploreResult result = explore({.strategy = "random", .schedules_max = kSchedules}, body);
  BOOST_TEST(!result.failure.has_value(), (result.failure ? result.failure->sentence : ""));
}

/// How a child process ends that plays `body` once, without switching more than it has to.
int exit_code_of(const Body& body) {
  const pid_t child = fork();
  if (child == 0) {
    dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
    (void)explore({.strategy = "fifo", .schedules_max = 1}, body);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void two_adders(Runtime& runtime, const std::function<void(int&)>& add) {
  int count = 0;
  const Task one = spawn(runtime, "one", [&] { add(count); });
  const Task two = spawn(runtime, "two", [&] { add(count); });
  one.join();
  two.join();
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_unlocked_counter_is_reported) {
  const Body body = [](Runtime& runtime) { two_adders(runtime, [](int& count) { ++count; }); };
  BOOST_TEST(exit_code_of(body) == kReported);
}

BOOST_AUTO_TEST_CASE(a_counter_under_two_different_locks_is_reported) {
  const Body body = [](Runtime& runtime) {
    runtime::Mutex one(runtime, "one");
    runtime::Mutex two(runtime, "two");
    int count = 0;
    const Task other = spawn(runtime, "other", [&] {
      const Lock lock(one);
      ++count;
    });
    {
      const Lock lock(two);
      ++count;
    }
    other.join();
  };
  BOOST_TEST(exit_code_of(body) == kReported);
}

/// The second task begins when the first has ended, on its stack, and nothing orders the two.
void one_after_the_other(Runtime& runtime, const std::function<void()>& body) {
  for (const char* const name : {"one", "two"}) {
    spawn(runtime, name, body);
    runtime::sleep_for(runtime, 1s);
  }
}

BOOST_AUTO_TEST_CASE(a_stack_that_is_used_again_is_no_race) {
  const Body body = [](Runtime& runtime) {
    one_after_the_other(runtime, [] {
      const std::vector<int> numbers{1, 2, 3};
      (void)numbers.back();
    });
  };
  BOOST_TEST(exit_code_of(body) == 0);
  is_silent(body);
}

BOOST_AUTO_TEST_CASE(what_two_tasks_do_one_after_the_other_on_one_stack_still_races) {
  int count = 0;
  const Body body = [&](Runtime& runtime) { one_after_the_other(runtime, [&] { ++count; }); };
  BOOST_TEST(exit_code_of(body) == kReported);
}

BOOST_AUTO_TEST_CASE(a_counter_under_one_lock_is_not) {
  const Body body = [](Runtime& runtime) {
    runtime::Mutex mutex(runtime);
    two_adders(runtime, [&](int& count) {
      const Lock lock(mutex);
      ++count;
    });
  };
  BOOST_TEST(exit_code_of(body) == 0);
  is_silent(body);
}

BOOST_AUTO_TEST_CASE(locks_and_conditions_order) {
  is_silent([](Runtime& runtime) {
    runtime::Mutex mutex(runtime);
    runtime::CondVar changed(runtime);
    std::vector<int> queue;
    const Task producer = spawn(runtime, "producer", [&] {
      for (int i = 0; i < 3; ++i) {
        const Lock lock(mutex);
        queue.push_back(i);
        changed.notify_one();
      }
    });
    for (int taken = 0; taken < 3; ++taken) {
      Lock lock(mutex);
      while (queue.empty()) {
        changed.wait(lock);
      }
      queue.pop_back();
    }
    producer.join();
  });
  is_silent([](Runtime& runtime) {
    runtime::SharedMutex mutex(runtime);
    int value = 0;
    runtime::WaitGroup group(runtime);
    for (int i = 0; i < 2; ++i) {
      group.start("reader", [&] {
        const runtime::ReadLock lock(mutex);
        (void)value;
      });
      group.start("writer", [&] {
        const runtime::WriteLock lock(mutex);
        ++value;
      });
    }
    group.wait();
    ++value;
  });
}

BOOST_AUTO_TEST_CASE(channels_timers_and_stop_tokens_order) {
  for (const std::size_t capacity : {0U, 2U}) {
    is_silent([capacity](Runtime& runtime) {
      Channel<std::vector<int>> numbers(runtime, capacity);
      int sum = 0;
      const Task reader = spawn(runtime, "reader", [&] {
        while (const auto batch = numbers.receive()) {
          sum += batch->front();
        }
      });
      for (int i = 0; i < 4; ++i) {
        numbers.send({i});
      }
      numbers.close();
      reader.join();
      runtime::ensure(sum == 6, "all arrive");
    });
  }
  is_silent([](Runtime& runtime) {
    runtime::StopSource source(runtime);
    int moments = 0;
    runtime::Timer timer(runtime, 1s);
    const Task waiter = spawn(runtime, "waiter", [&, token = source.token()] {
      timer.channel().receive();
      ++moments;
      token.done(runtime).receive();
      ++moments;
    });
    source.stop();
    waiter.join();
    ++moments;
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::sim
