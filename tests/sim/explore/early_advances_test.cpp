// Time that passes while a task can run: what the searches find, and what their verdict says.
#include <array>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>

#include "core/runtime/atomic.hpp"
#include "core/runtime/channel.hpp"
#include "core/runtime/cond_var.hpp"
#include "core/runtime/ensure.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/select.hpp"
#include "core/runtime/task.hpp"
#include "core/runtime/time.hpp"
#include "core/runtime/timer.hpp"
#include "sim/explore/dpor_strategy.hpp"
#include "sim/explore/explore.hpp"
#include "sim/std/mutex.hpp"
#include "sim/std/semaphore.hpp"
#include "sim/std/thread.hpp"
#include "tests/sim/explore/timed_program.hpp"

namespace watchlab::sim {
BOOST_AUTO_TEST_SUITE(early_advances_test)

namespace {

using namespace std::chrono_literals;

/// One sleeps, so often, while the other has something to do.
auto sleeps_beside_work(int sleeps) {
  return [sleeps](runtime::Runtime& runtime) {
    runtime::Mutex mutex(runtime, "mutex");
    runtime::Task sleeper = spawn(runtime, "sleeper", [&runtime, sleeps] {
      for (int i = 0; i < sleeps; ++i) {
        runtime::sleep_for(runtime, 1ms);
      }
    });
    runtime::Task worker = spawn(runtime, "worker", [&mutex] { const runtime::Lock lock(mutex); });
    sleeper.join();
    worker.join();
  };
}

/// The timer fires first only where time passes early.
void timer_against_work(runtime::Runtime& runtime) {
  runtime::Channel<int> channel(runtime, 1, "channel");
  std::size_t arm = 0;
  runtime::Task worker = spawn(runtime, "worker", [&] { channel.send(1); });
  runtime::Task waiter = spawn(runtime, "waiter", [&] {
    const runtime::Timer timer(runtime, 1ms);
    runtime::Select select(runtime);
    select.receive(channel).receive(timer.channel());
    arm = select.wait();
  });
  worker.join();
  waiter.join();
  runtime::ensure(arm == 0, "it came in time");
}

void acquire_against_release(runtime::Runtime& /*runtime*/) {
  stdx::counting_semaphore<8> semaphore(0);
  bool acquired = true;
  stdx::thread a([&] { semaphore.release(); });
  stdx::thread b([&] { acquired = semaphore.try_acquire_for(1ms); });
  a.join();
  b.join();
  runtime::ensure(acquired, "acquired in time");
}

void lock_against_unlock(runtime::Runtime& /*runtime*/) {
  stdx::timed_mutex mutex;
  bool locked = true;
  mutex.lock();
  stdx::thread b([&] {
    locked = mutex.try_lock_for(1ms);
    if (locked) {
      mutex.unlock();
    }
  });
  mutex.unlock();
  b.join();
  runtime::ensure(locked, "locked in time");
}

/// Waits only after the notification, which comes late where time passes early.
void wait_against_notify(runtime::Runtime& runtime) {
  runtime::Mutex mutex(runtime, "mutex");
  runtime::CondVar condition(runtime, "condition");
  bool notified = false;
  runtime::Task a = spawn(runtime, "a", [&] { condition.notify_one(); });
  runtime::Task b = spawn(runtime, "b", [&] {
    runtime::sleep_for(runtime, 1ms);
    runtime::Lock lock(mutex);
    notified = condition.wait_until(lock, runtime.now() + 1ms);
  });
  a.join();
  b.join();
  runtime::ensure(!notified, "never notified");
}

void load_against_store(runtime::Runtime& runtime) {
  runtime::Atomic<int> value(runtime, 0, "value");
  int seen = 1;
  runtime::Task a = spawn(runtime, "a", [&] { value.store(1); });
  runtime::Task b = spawn(runtime, "b", [&] {
    runtime::sleep_for(runtime, 1ms);
    seen = value.load();
  });
  a.join();
  b.join();
  runtime::ensure(seen == 1, "stored in time");
}

constexpr std::array kLost{timer_against_work, acquire_against_release, lock_against_unlock,
                           wait_against_notify, load_against_store};

std::string verdict_of(ExploreOptions options, int sleeps) {
  options.schedules_max = 100'000;
  return verdict(explore(options, sleeps_beside_work(sleeps)));
}

void both_searches_find(const std::function<void(runtime::Runtime&)>& program) {
  for (const char* const strategy : {"dfs", "dpor"}) {
    const ExploreResult found = explore({.strategy = strategy, .schedules_max = 10'000}, program);
    BOOST_TEST_REQUIRE(found.failure.has_value(), strategy);
    BOOST_TEST(replay(found.failure->schedule, program).has_value());
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_verdict_is_relative_to_a_bound_on_early_advances_that_cut_something_off) {
  for (const char* const strategy : {"dfs", "dpor"}) {
    BOOST_TEST(verdict_of({.strategy = strategy, .early_advances_max = 0}, 1) ==
               "exhausted (time does not pass while a task can run)");
    BOOST_TEST(verdict_of({.strategy = strategy, .early_advances_max = 1}, 3) ==
               "exhausted (time passes at most once while a task can run)");
    BOOST_TEST(verdict_of({.strategy = strategy}, 3) ==
               "exhausted (time passes at most 2 times while a task can run)");
    BOOST_TEST(verdict_of({.strategy = strategy}, 2) == "exhausted");
    BOOST_TEST(verdict_of({.strategy = strategy, .early_advances_max = 1}, 1) == "exhausted");
  }
}

BOOST_AUTO_TEST_CASE(every_strategy_finds_what_shows_only_where_time_passes_early) {
  for (const auto& program : kLost) {
    for (const char* const strategy : {"dfs", "dpor", "random", "pct", "pos", "portfolio"}) {
      const bool searches = strategy[0] == 'd';
      const ExploreResult found = explore(
          {.strategy = strategy, .schedules_max = 5000, .early_advances_max = searches ? -1 : 1},
          program);
      BOOST_TEST_REQUIRE(found.failure.has_value(), strategy);
      BOOST_TEST(found.failure->kind == "violation", strategy);
      BOOST_TEST(replay(found.failure->schedule, program).has_value());
    }
    const ExploreResult held = explore({.strategy = "dpor", .early_advances_max = 0}, program);
    BOOST_TEST(verdict(held) == "exhausted (time does not pass while a task can run)");
  }
}

/// Each set of early jumps has a search of its own; together they are all runs.
BOOST_AUTO_TEST_CASE(dpor_finds_the_outcomes_of_dfs_however_often_time_may_pass_early) {
  constexpr std::uint64_t kPrograms = 60;
  for (std::uint64_t seed = 0; seed < kPrograms; ++seed) {
    const TimedProgram program(seed);
    for (int early = 0; early <= 2; ++early) {
      const TimedProgram::Outcomes all = program.outcomes({.strategy = "dfs"}, early);
      if (all.empty()) {
        continue;  // too many runs
      }
      ExploreOptions source_sets{.strategy = "dpor", .instead = [early] {
                                   return std::make_unique<DporStrategy>(
                                       DporStrategy::Mode::SourceSets, early);
                                 }};
      BOOST_TEST((program.outcomes({.strategy = "dpor"}, early) == all), program.to_string()
                                                                             << " early " << early);
      BOOST_TEST((program.outcomes(source_sets, early) == all),
                 program.to_string() << " early " << early << ", source sets");
    }
  }
}

BOOST_AUTO_TEST_CASE(early_advances_that_follow_on_each_other_need_no_step_between) {
  const auto program = [](runtime::Runtime& runtime) {
    const runtime::TimePoint start = runtime.now();
    runtime::Duration seen{};
    runtime::Task a = spawn(runtime, "a", [&] { runtime::sleep_for(runtime, 1ms); });
    runtime::Task b = spawn(runtime, "b", [&] { runtime::sleep_for(runtime, 2ms); });
    runtime::Task c = spawn(runtime, "c", [&] { seen = runtime.now() - start; });
    c.join();
    runtime::ensure(seen != 2ms, "c is not that late");
    a.join();
    b.join();
  };
  both_searches_find(program);
}

// These were lost: the wait that has to be over had begun before the attempt that it races with,
// and the second timer goes off between the moment at which the first one is due and its turn.
BOOST_AUTO_TEST_CASE(a_jump_to_a_deadline_that_was_armed_before_the_race_is_tried) {
  const auto wait_over_first = [](runtime::Runtime&) {
    stdx::counting_semaphore<2> free(0);
    bool acquired = false;
    stdx::thread attempt([&] { acquired = free.try_acquire(); });
    stdx::thread waiter([&] {
      (void)free.try_acquire_for(2ms);
      free.release();
    });
    attempt.join();
    waiter.join();
    runtime::ensure(!acquired, "the waiter does not give up that early");
  };
  const auto second_timer_first = [](runtime::Runtime& runtime) {
    runtime::Timer first(runtime, 1ms);
    runtime::Timer second(runtime, 2ms);
    (void)second.channel().receive();
    runtime::ensure(!first.stop(), "the first one has gone off");
  };
  both_searches_find(wait_over_first);
  both_searches_find(second_timer_first);
}

// These were lost: who locks second sets a deadline in the same step, which depends on the jump to
// the first one's. But it is the lock for which the two race, and with it goes the jump.
BOOST_AUTO_TEST_CASE(a_jump_between_lock_and_unlock_does_not_hide_the_race_for_the_lock) {
  const auto attempts_fail = [](runtime::Runtime&) {
    stdx::timed_mutex mutex;
    bool locked = false;
    stdx::thread attempts([&] {
      locked = mutex.try_lock();
      stdx::this_thread::sleep_for(1ms);
      locked = locked || mutex.try_lock();
      if (locked) {
        mutex.unlock();
      }
    });
    stdx::thread owner([&] {
      const std::lock_guard guard(mutex);
      stdx::this_thread::sleep_for(0ms);
    });
    attempts.join();
    owner.join();
    runtime::ensure(locked, "one attempt succeeds");
  };
  const auto waits_first = [](runtime::Runtime& runtime) {
    runtime::Mutex mutex(runtime, "mutex");
    runtime::CondVar condition(runtime, "condition");
    bool notified = false;
    runtime::Task a = spawn(runtime, "a", [&] {
      condition.notify_all();
      const runtime::Lock lock(mutex);
      runtime::sleep_for(runtime, 1ms);
    });
    runtime::Task b = spawn(runtime, "b", [&] {
      runtime::Lock lock(mutex);
      runtime::sleep_for(runtime, 1ms);
      notified = condition.wait_until(lock, runtime.now());
    });
    a.join();
    b.join();
    runtime::ensure(!notified, "never notified");
  };
  for (const std::function<void(runtime::Runtime&)>& program :
       {std::function<void(runtime::Runtime&)>(attempts_fail),
        std::function<void(runtime::Runtime&)>(waits_first)}) {
    for (const DporStrategy::Mode mode :
         {DporStrategy::Mode::SourceSets, DporStrategy::Mode::WakeupTrees}) {
      const ExploreResult found =
          explore({.strategy = "dpor",
                   .instead = [mode] { return std::make_unique<DporStrategy>(mode, 2); },
                   .early_advances_max = 2},
                  program);
      BOOST_TEST_REQUIRE(found.failure.has_value());
      BOOST_TEST(found.failure->kind == "violation");
      BOOST_TEST(replay(found.failure->schedule, program).has_value());
    }
  }
}

BOOST_AUTO_TEST_CASE(the_verdict_on_a_program_without_deadlines_is_relative_to_nothing) {
  BOOST_TEST(verdict_of({.strategy = "dfs"}, 0) == "exhausted");
  BOOST_TEST(verdict_of({.strategy = "dpor"}, 0) == "exhausted");
  BOOST_TEST(verdict_of({.strategy = "random"}, 0) == "not exhausted");
}

BOOST_AUTO_TEST_CASE(the_verdict_is_relative_to_a_bound_of_preemptions_that_cut_something_off) {
  BOOST_TEST(verdict_of({.strategy = "dfs", .preemptions_max = 0}, 0) ==
             "exhausted (at most 0 preemptions)");
  BOOST_TEST(verdict_of({.strategy = "dfs", .preemptions_max = 0, .early_advances_max = 0}, 1) ==
             "exhausted (time does not pass while a task can run; at most 0 preemptions)");
  BOOST_TEST(verdict_of({.strategy = "dfs", .delays_max = 2}, 0) == "exhausted (at most 2 delays)");
  BOOST_TEST(verdict_of({.strategy = "dfs", .preemptions_max = 50}, 0) == "exhausted");
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace watchlab::sim
