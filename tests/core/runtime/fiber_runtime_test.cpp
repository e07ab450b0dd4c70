// What only FiberRuntime does: few OS threads for many tasks, foreign threads, Asio's loop, stacks.
#include "core/runtime/fibers/fiber_runtime.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <future>
#include <limits>
#include <memory>
#include <thread>

#include "core/runtime/atomic.hpp"
#include "core/runtime/channel.hpp"
#include "core/runtime/cond_var.hpp"
#include "core/runtime/fibers/stack_pool.hpp"
#include "core/runtime/fibers/switch.hpp"
#include "core/runtime/select.hpp"
#include "core/runtime/shared_mutex.hpp"
#include "core/runtime/task.hpp"
#include "core/runtime/timer.hpp"
#include "core/runtime/wait_group.hpp"

#if defined(WATCHLAB_ASAN)
#include <sanitizer/asan_interface.h>
#endif

BOOST_AUTO_TEST_SUITE(fiber_runtime)

namespace {

using namespace watchlab::runtime;
using namespace std::chrono_literals;

/// Plays a program in a process of its own, which must not survive; returns what it wrote to
/// stderr.
std::string last_words_of(const std::function<void()>& program) {
  std::array<int, 2> ends{};
  BOOST_REQUIRE(pipe(ends.data()) == 0);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    signal(SIGSEGV, SIG_DFL);
    program();
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  std::array<char, 256> part{};
  for (ssize_t size = 0; (size = read(ends[0], part.data(), part.size())) > 0;) {
    text.append(part.data(), static_cast<std::size_t>(size));
  }
  close(ends[0]);
  int status = 0;
  BOOST_REQUIRE(waitpid(child, &status, 0) == child);
  BOOST_TEST((!WIFEXITED(status) || WEXITSTATUS(status) != 0));
  return text;
}

// NOLINTNEXTLINE(misc-no-recursion): it shall go deeper than any stack.
[[gnu::noinline]] int endless(int depth) {
  if (depth == std::numeric_limits<int>::max()) {
    return 0;
  }
  std::array<volatile char, 512> room{};
  room[static_cast<std::size_t>(depth) % room.size()] = 1;
  const int deeper = endless(depth + 1);
  return deeper + room[0];
}

/// Four producers and four consumers over two channels, a lock with a condition and a timer.
void stress(Runtime& runtime) {
  constexpr int kTasks = 4;
  constexpr int kValues = 500;
  Channel<int> plain(runtime, 0);
  Channel<int> buffered(runtime, 3);
  Mutex mutex(runtime);
  CondVar changed(runtime);
  SharedMutex shared(runtime);
  int stock = 0;
  long table = 0;
  Atomic<long> sum(runtime, 0);
  WaitGroup producers(runtime);
  WaitGroup consumers(runtime);
  for (int task = 0; task < kTasks; ++task) {
    producers.start("producer", [&] {
      for (int i = 1; i <= kValues; ++i) {
        Select choice(runtime);
        choice.send(plain, i).send(buffered, i);
        choice.wait();
        {
          const Lock lock(mutex);
          ++stock;
        }
        changed.notify_one();
        if (i % 50 == 0) {
          const WriteLock lock(shared);
          ++table;
        }
      }
    });
    consumers.start("consumer", [&] {
      for (int i = 0; i < kValues; ++i) {
        std::optional<int> value;
        Select choice(runtime);
        choice.receive(plain, value).receive(buffered, value);
        choice.wait();
        sum.fetch_add(*value);
        Lock lock(mutex);
        while (stock == 0) {
          if (!changed.wait_until(lock, runtime.now() + 20us)) {
            runtime.yield(Location::current());
          }
        }
        --stock;
        lock.unlock();
        const ReadLock reading(shared);
        ensure(table <= kTasks * kValues / 50, "a writer counted twice");
      }
    });
  }
  producers.wait();
  consumers.wait();
  ensure(sum.load() == long{kTasks} * kValues * (kValues + 1) / 2, "a value was lost or doubled");
  ensure(stock == 0 && table == kTasks * kValues / 50, "an update under a lock was lost");
}

}  // namespace

BOOST_AUTO_TEST_CASE(one_thread_runs_all_tasks_unless_more_are_asked_for) {
  FiberRuntime fibers;
  fibers.run([](Runtime& runtime) {
    const std::thread::id here = std::this_thread::get_id();
    for (int i = 0; i < 10; ++i) {
      const Task task = spawn(runtime, "task", [here] {
        ensure(std::this_thread::get_id() == here, "a task ran on another thread");
      });
      task.join();
    }
  });
}

BOOST_DATA_TEST_CASE(nothing_is_lost_under_load, (boost::unit_test::data::make({1, 2, 8})),
                     workers) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    FiberRuntime fibers({.threads = static_cast<std::size_t>(workers), .seed = seed});
    BOOST_CHECK_NO_THROW(fibers.run(stress));
  }
}

BOOST_AUTO_TEST_CASE(two_workers_run_two_tasks_at_once) {
  FiberRuntime fibers({.threads = 2});
  fibers.run([](Runtime& runtime) {
    // Neither lets go of its worker before the other has come.
    std::atomic<int> there = 0;
    WaitGroup both(runtime);
    for (int i = 0; i < 2; ++i) {
      both.start("meeting", [&there] {
        ++there;
        while (there < 2) {
        }
      });
    }
    both.wait();
  });
}

BOOST_AUTO_TEST_CASE(two_tasks_that_wake_each_other_keep_no_third_from_running) {
  FiberRuntime fibers;
  fibers.run([](Runtime& runtime) {
    bool third_ran = false;
    Channel<int> there(runtime, 0);
    Channel<int> back(runtime, 0);
    const Task echo = spawn(runtime, "echo", [&] {
      while (const auto value = there.receive()) {
        back.send(*value);
      }
    });
    spawn(runtime, "third", [&] { third_ran = true; });
    while (!third_ran) {
      there.send(1);
      back.receive();
    }
    there.close();
    echo.join();
  });
}

BOOST_AUTO_TEST_CASE(a_task_that_polls_keeps_no_timer_from_firing) {
  FiberRuntime fibers;
  fibers.run([](Runtime& runtime) {
    bool awake = false;
    const Task sleeper = spawn(runtime, "sleeper", [&] {
      sleep_for(runtime, 1ms);
      awake = true;
    });
    while (!awake) {
      runtime.yield(Location::current());
    }
  });
}

BOOST_AUTO_TEST_CASE(thousands_of_tasks_wait_at_once) {
  FiberRuntime fibers;
  fibers.run([](Runtime& runtime) {
    Channel<Unit> gate(runtime, 0);
    WaitGroup all(runtime);
    int through = 0;
    for (int i = 0; i < 5'000; ++i) {
      all.start("waiter", [&] {
        gate.receive();
        ++through;
      });
    }
    gate.close();
    all.wait();
    ensure(through == 5'000, "a task was lost");
  });
}

BOOST_AUTO_TEST_CASE(blocking_leaves_the_worker_to_others) {
  FiberRuntime fibers;
  fibers.run([&](Runtime& runtime) {
    std::promise<int> promise;
    const Task other = spawn(runtime, "other", [&promise] { promise.set_value(7); });
    int got = 0;
    fibers.blocking([&] { got = promise.get_future().get(); });
    ensure(got == 7, "what was waited for is not there");
    other.join();
  });
}

BOOST_AUTO_TEST_CASE(what_is_thrown_while_blocking_comes_out) {
  FiberRuntime fibers;
  BOOST_CHECK_THROW(fibers.run([&](Runtime&) {
    fibers.blocking([] { throw std::domain_error("no such file"); });
  }),
                    std::domain_error);
  BOOST_CHECK_THROW(fibers.blocking([] { throw std::domain_error("outside"); }), std::domain_error);
}

BOOST_AUTO_TEST_CASE(threads_that_are_no_workers_wait_and_wake) {
  FiberRuntime fibers;
  Channel<int> there(fibers, 0);
  Channel<int> back(fibers, 0);
  Mutex mutex(fibers);
  int sum = 0;
  const Task adder = spawn(fibers, "adder", [&] {
    while (const auto value = there.receive()) {
      const Lock lock(mutex);
      sum += *value;
      back.send(sum);
    }
  });
  for (int i = 1; i <= 100; ++i) {
    there.send(i);
    BOOST_TEST(back.receive().value() == i * (i + 1) / 2);
  }
  CondVar changed(fibers);
  Lock lock(mutex);
  BOOST_TEST(!changed.wait_until(lock, fibers.now() + 1ms));
  lock.unlock();
  there.close();
  adder.join();
}

BOOST_AUTO_TEST_CASE(a_handler_of_the_event_loop_wakes_a_task_and_must_not_wait) {
  FiberRuntime fibers;
  fibers.run([&](Runtime& runtime) {
    Channel<bool> result(runtime, 1);
    boost::asio::post(fibers.event_loop(), [result] {
      bool refused = false;
      try {
        Channel<int>().receive();
      } catch (const EnsureFailed&) {
        refused = true;
      }
      ensure(result.try_send(refused), "there is room");
    });
    ensure(result.receive().value(), "a handler waited");
  });
}

BOOST_AUTO_TEST_CASE(an_overflow_ends_the_process_with_a_message_that_names_the_fiber) {
  const std::string text = last_words_of([] {
    FiberRuntime fibers({.stack_size = std::size_t{64} * 1024});
    const Task task = spawn(fibers, "deep", [] { std::_Exit(endless(0)); });
    task.join();
  });
  BOOST_TEST(text.find("fiber 'deep' overflowed its stack of 64 KiB") != std::string::npos, text);
}

#if defined(WATCHLAB_ASAN)
BOOST_AUTO_TEST_CASE(what_is_mapped_after_stacks_has_no_redzones_of_theirs) {
  Stack stack;
  {
    StackPool pool;
    stack = pool.take();
    pool.give_back(stack);
    __asan_poison_memory_region(stack.bottom, stack.size);  // as a task does that is taken down
  }
  BOOST_TEST(__asan_region_is_poisoned(stack.bottom, stack.size) == nullptr);
}
#endif

BOOST_AUTO_TEST_SUITE_END()
