#include "sim/kernel/world.hpp"

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <tuple>

#include "core/runtime/atomic.hpp"
#include "core/runtime/cond_var.hpp"
#include "core/runtime/random.hpp"
#include "core/runtime/task.hpp"
#include "core/runtime/timer.hpp"
#include "sim/explore/explore.hpp"
#include "sim/explore/portfolio_strategy.hpp"
#include "sim/explore/random_strategy.hpp"
#include "sim/kernel/fiber.hpp"

namespace watchlab::sim {
BOOST_AUTO_TEST_SUITE(world_test)

namespace {

using namespace std::chrono_literals;
using runtime::Lock;
using runtime::Runtime;
using runtime::Task;

void a_little_of_everything(Runtime& runtime) {
  runtime::Mutex mutex(runtime, "mutex");
  runtime::CondVar changed(runtime, "changed");
  runtime::Random random(runtime, "pauses");
  int count = 0;
  std::vector<Task> tasks;
  for (int i = 0; i < 4; ++i) {
    const auto pause = std::chrono::milliseconds(random.below(20));
    tasks.push_back(spawn(runtime, "worker", [&, pause] {
      sleep_for(runtime, pause);
      const Lock lock(mutex);
      ++count;
      changed.notify_one();
    }));
  }
  Lock lock(mutex);
  while (count < 4) {
    changed.wait(lock);
  }
  lock.unlock();
  for (const Task& task : tasks) {
    task.join();
  }
}

/// Dies while a task sleeps, another waits with a time limit, and timers of both kinds are armed.
void die_with_deadlines_ahead(Runtime& runtime) {
  runtime::Mutex mutex(runtime, "mutex");
  runtime::CondVar never(runtime, "never");
  const runtime::Ticker ticker(runtime, 1min);
  spawn(runtime, "sleeper", [&] { sleep_for(runtime, 1h); });
  spawn(runtime, "waiter", [&] {
    Lock lock(mutex);
    std::ignore = never.wait_until(lock, runtime.now() + 1h);
  });
  const Task unlucky =
      spawn(runtime, "unlucky", [timer = std::make_shared<runtime::Timer>(runtime, 1h), &runtime] {
        sleep_for(runtime, 1ms);
        throw std::runtime_error("out of luck");
      });
  unlucky.join();
}

std::string threads_of_this_process() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("Threads:")) {
      return line;
    }
  }
  return "unknown";
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_same_decisions_give_the_same_digest) {
  World one;
  World two;
  for (std::size_t run = 0; run < 20; ++run) {
    RandomStrategy first(5);
    RandomStrategy second(5);
    BOOST_TEST(first.prepare(run));
    BOOST_TEST(second.prepare(run));
    const RunResult a = one.run(first, a_little_of_everything);
    const RunResult b = two.run(second, a_little_of_everything);
    BOOST_TEST(!a.failure.has_value());
    BOOST_TEST(a.digest == b.digest);
    BOOST_TEST(a.steps == b.steps);
  }
}

BOOST_AUTO_TEST_CASE(other_decisions_or_another_seed_give_another_digest) {
  std::set<std::uint64_t> digests;
  World world;
  RandomStrategy strategy(5);
  for (std::size_t run = 0; run < 20; ++run) {
    BOOST_TEST(strategy.prepare(run));
    digests.insert(world.run(strategy, a_little_of_everything).digest);
  }
  BOOST_TEST(digests.size() > 15U);
  FifoStrategy fifo;
  const std::uint64_t default_one = world.run(fifo, a_little_of_everything).digest;
  world.set_seed(2);
  BOOST_TEST(world.run(fifo, a_little_of_everything).digest != default_one);
}

BOOST_AUTO_TEST_CASE(recording_changes_no_digest) {
  World plain;
  World recording({.record = true});
  FifoStrategy fifo;
  const RunResult a = plain.run(fifo, a_little_of_everything);
  const RunResult b = recording.run(fifo, a_little_of_everything);
  BOOST_TEST(a.digest == b.digest);
  BOOST_TEST(a.steps_taken.empty());
  BOOST_TEST(b.steps_taken.size() == b.steps);
}

BOOST_AUTO_TEST_CASE(a_world_runs_on_one_os_thread) {
  // ThreadSanitizer has one of its own since the first thread of any test.
  const std::string before = threads_of_this_process();
  World world;
  FifoStrategy fifo;
  std::string during;
  (void)world.run(fifo, [&](Runtime& runtime) {
    a_little_of_everything(runtime);
    during = threads_of_this_process();
  });
  BOOST_TEST(during == before);
}

BOOST_AUTO_TEST_CASE(a_day_passes_at_once) {
  World world;
  FifoStrategy fifo;
  const RunResult result = world.run(fifo, [](Runtime& runtime) { sleep_for(runtime, 24h); });
  BOOST_TEST((result.ended - result.started == 24h));
  BOOST_TEST((result.started.time_since_epoch() > 1h));
}

BOOST_AUTO_TEST_CASE(time_stands_still_while_a_task_is_ready) {
  World world;
  RandomStrategy strategy(1);
  const RunResult result = world.run(strategy, [](Runtime& runtime) {
    const runtime::TimePoint start = runtime.now();
    runtime::Timer timer(runtime, 1s);
    for (int i = 0; i < 100; ++i) {
      runtime.yield(runtime::Location::current());
      runtime::ensure(runtime.now() == start, "time passed while a task was ready");
    }
    timer.stop();
  });
  BOOST_TEST(!result.failure.has_value());
}

BOOST_AUTO_TEST_CASE(time_may_jump_early_when_that_is_allowed) {
  const auto timer_before_yield = [](Runtime& runtime) {
    runtime::Timer timer(runtime, 1s);
    std::optional<runtime::TimePoint> fired;
    for (int i = 0; i < 20; ++i) {
      runtime.yield(runtime::Location::current());
    }
    runtime::ensure(!timer.channel().try_receive(fired), "the timer fired under a busy task");
  };
  const ExploreResult never = explore({.schedules_max = 500}, timer_before_yield);
  BOOST_TEST(!never.failure.has_value());
  const ExploreResult early =
      explore({.schedules_max = 500, .early_advances_max = 1}, timer_before_yield);
  BOOST_REQUIRE(early.failure.has_value());
  const std::optional<Failure> again = replay(early.failure->schedule, timer_before_yield);
  BOOST_REQUIRE(again.has_value());
  BOOST_TEST(again->sentence == early.failure->sentence);
}

BOOST_AUTO_TEST_CASE(a_body_that_keeps_state_is_reported_with_its_first_differing_step) {
  int runs = 0;
  const ExploreResult result = explore({.schedules_max = 1}, [&](Runtime& runtime) {
    ++runs;
    runtime::Mutex mutex(runtime, runs % 2 == 0 ? "even" : "odd");
    const Lock lock(mutex);
  });
  BOOST_REQUIRE(result.failure.has_value());
  BOOST_TEST(result.failure->kind == "divergence");
  BOOST_TEST(result.failure->sentence.find(
                 "the first difference is step 2: once main: lock mutex") != std::string::npos,
             result.failure->sentence);
}

/// Counts the ends of scopes.
struct Guard {
  std::atomic<int>& count;
  ~Guard() { ++count; }
};

BOOST_AUTO_TEST_CASE(an_escaping_exception_fails_the_run_and_unwinds_the_other_tasks) {
  std::atomic<int> unwound = 0;
  World world;
  FifoStrategy fifo;
  const RunResult result = world.run(fifo, [&](Runtime& runtime) {
    runtime::Channel<int> never(runtime, 0, "never");
    for (int i = 0; i < 3; ++i) {
      spawn(runtime, "waiter", [&] {
        const Guard guard{unwound};
        never.receive();
      });
    }
    const Task unlucky = spawn(runtime, "unlucky", [&] {
      sleep_for(runtime, 1ms);
      throw std::runtime_error("out of luck");
    });
    unlucky.join();
  });
  BOOST_REQUIRE(result.failure.has_value());
  BOOST_TEST(result.failure->kind == "exception");
  BOOST_TEST(result.failure->sentence == "task main/unlucky died of an exception: out of luck");
  BOOST_TEST(unwound == 3);
}

BOOST_AUTO_TEST_CASE(a_task_ends_before_the_frames_of_its_starter_that_throws) {
  std::atomic<int> unwound = 0;
  World world;
  FifoStrategy fifo;
  const RunResult result = world.run(fifo, [&](Runtime& runtime) {
    runtime::Mutex mutex(runtime, "mutex");
    runtime::CondVar never(runtime, "never");
    spawn(runtime, "waiter", [&] {
      const Quiet quiet;  // the race with the frame's end is meant
      const Guard guard{unwound};
      Lock lock(mutex);
      never.wait(lock);
    });
    sleep_for(runtime, 1ms);
    throw std::runtime_error("out of luck");
  });
  BOOST_REQUIRE(result.failure.has_value());
  BOOST_TEST(result.failure->sentence == "task main died of an exception: out of luck");
#if defined(__x86_64__)  // elsewhere it is left alone
  BOOST_TEST(unwound == 1);
#endif
}

// What would go wrong is a write to memory that is free: the address sanitizer sees it.
BOOST_AUTO_TEST_CASE(a_world_that_died_with_deadlines_ahead_runs_again_alike) {
  World world;
  std::set<std::uint64_t> digests;
  for (int i = 0; i < 3; ++i) {
    FifoStrategy fifo;
    const RunResult result = world.run(fifo, die_with_deadlines_ahead);
    BOOST_REQUIRE(result.failure.has_value());
    BOOST_TEST(result.failure->kind == "exception");
    digests.insert(result.digest);
  }
  BOOST_TEST(digests.size() == 1U);
}

BOOST_AUTO_TEST_CASE(in_a_deadlock_the_starter_of_a_task_unwinds_after_it) {
  std::vector<std::string> order;
  World world;
  FifoStrategy fifo;
  const RunResult result = world.run(fifo, [&](Runtime& runtime) {
    struct Last {
      std::vector<std::string>& order;
      std::string name;
      ~Last() { order.push_back(name); }
    };
    const Last mine{order, "starter"};
    runtime::Channel<int> never(runtime, 0, "never");
    spawn(runtime, "waiter", [&] {
      const Last its{order, "waiter"};
      never.receive();
    });
    sleep_for(runtime, 1ms);
    never.receive();
  });
  BOOST_REQUIRE(result.failure.has_value());
  BOOST_TEST(result.failure->kind == "deadlock");
  BOOST_TEST(order == (std::vector<std::string>{"waiter", "starter"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(join_of_a_killed_task_does_not_return) {
  World world;
  FifoStrategy fifo;
  bool waiting_returned = false;
  bool late_returned = false;
  const RunResult result = world.run(fifo, [&](Runtime& runtime) {
    const Task unlucky = spawn(runtime, "unlucky", [&runtime] {
      sleep_for(runtime, 1ms);
      throw std::runtime_error("out of luck");
    });
    runtime::Mutex mutex(runtime, "mutex");
    mutex.lock();
    spawn(runtime, "late", [&] {
      mutex.lock();  // comes back in a world that stops, because it may stand in a guard
      unlucky.join();
      late_returned = true;
    });
    unlucky.join();
    waiting_returned = true;
  });
  BOOST_REQUIRE(result.failure.has_value());
  BOOST_TEST(result.failure->kind == "exception");
  BOOST_TEST(!waiting_returned);
  BOOST_TEST(!late_returned);
}

BOOST_AUTO_TEST_CASE(tasks_that_switch_inside_catch_blocks_keep_their_own_exceptions) {
  const auto body = [](Runtime& runtime) {
    std::vector<Task> tasks;
    for (const char* const name : {"one", "two"}) {
      tasks.push_back(spawn(runtime, name, [&runtime, name] {
        try {
          try {
            throw std::runtime_error(name);
          } catch (const std::exception&) {
            runtime.yield(runtime::Location::current());
            throw;
          }
        } catch (const std::exception& error) {
          runtime::ensure(std::string_view(error.what()) == name, "a foreign exception");
        }
      }));
    }
    for (const Task& task : tasks) {
      task.join();
    }
  };
  const ExploreResult result = explore({.schedules_max = 200}, body);
  BOOST_TEST(!result.failure.has_value());
}

BOOST_AUTO_TEST_CASE(twenty_thousand_tasks_live_at_once) {
  World world({.steps_max = 1'000'000});
  FifoStrategy fifo;
  std::atomic<std::size_t> woken = 0;
  const RunResult result = world.run(fifo, [&](Runtime& runtime) {
    runtime::Channel<int> gate(runtime, 0, "gate");
    std::vector<Task> tasks;
    for (int i = 0; i < 20'000; ++i) {
      tasks.push_back(spawn(runtime, "waiter", [&] {
        sleep_for(runtime, 1s);
        ++woken;
      }));
    }
    for (const Task& task : tasks) {
      task.join();
    }
  });
  BOOST_TEST(!result.failure.has_value());
  BOOST_TEST(woken == 20'000U);
}

BOOST_AUTO_TEST_CASE(a_schedule_for_another_program_is_a_divergence_and_says_where) {
  const auto two_tasks = [](Runtime& runtime) {
    const Task task = spawn(runtime, "left", [] {});
    task.join();
    runtime::ensure(false, "ends badly");
  };
  const auto other = [](Runtime& runtime) {
    const Task task = spawn(runtime, "right", [] {});
    task.join();
  };
  const std::string schedule =
      Schedule{.deviations = {{.at = "main", .ordinal = 1, .next = "main/left"}}}.to_string();
  BOOST_TEST(replay(schedule, two_tasks).has_value());
  const std::optional<Failure> failure = replay(schedule, other);
  BOOST_REQUIRE(failure.has_value());
  BOOST_TEST(failure->kind == "divergence");
  BOOST_TEST(failure->sentence.find("main/left") != std::string::npos, failure->sentence);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::sim
