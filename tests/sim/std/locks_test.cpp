// What can be locked and waited for, in a world: each does what the standard says, waits are
// choices, and misuse is a finding.
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <set>
#include <string>
#include <vector>

#include "core/runtime/ensure.hpp"
#include "sim/explore/explore.hpp"
#include "sim/std/barrier.hpp"
#include "sim/std/condition_variable.hpp"
#include "sim/std/latch.hpp"
#include "sim/std/mutex.hpp"
#include "sim/std/semaphore.hpp"
#include "sim/std/thread.hpp"
#include "tests/sim/std/whole_search.hpp"

namespace watchlab::sim {
BOOST_AUTO_TEST_SUITE(std_locks_test)

namespace {

using namespace std::chrono_literals;
using runtime::ensure;

/// Two threads that count under a lock, in two steps.
template <typename Mutex, typename Lock>
void count_twice() {
  Mutex mutex;
  stdx::watched<int> count{0};
  const auto add = [&] {
    const Lock lock(mutex);
    count = count + 1;
  };
  stdx::thread one(add);
  stdx::thread two(add);
  one.join();
  two.join();
  ensure(count == 2, "no count is lost");
}

template <typename Mutex>
using Guard = stdx::lock_guard<Mutex>;

}  // namespace

BOOST_AUTO_TEST_CASE(each_mutex_excludes_and_orders) {
  check_held(count_twice<stdx::mutex, Guard<stdx::mutex>>);
  check_held(count_twice<stdx::recursive_mutex, Guard<stdx::recursive_mutex>>);
  check_held(count_twice<stdx::timed_mutex, Guard<stdx::timed_mutex>>);
  check_held(count_twice<stdx::recursive_timed_mutex, Guard<stdx::recursive_timed_mutex>>);
  check_held(count_twice<stdx::shared_mutex, stdx::unique_lock<stdx::shared_mutex>>);
  check_held(count_twice<stdx::mutex, std::lock_guard<stdx::mutex>>);
  check_held(count_twice<stdx::mutex, stdx::scoped_lock<stdx::mutex>>);
}

BOOST_AUTO_TEST_CASE(readers_exclude_no_readers_and_order_none) {
  const PlainBody two_readers_write = [] {
    stdx::shared_mutex mutex;
    stdx::watched<int> count{0};
    const auto add = [&] {
      const stdx::shared_lock lock(mutex);
      count = count + 1;
    };
    stdx::thread one(add);
    stdx::thread two(add);
    one.join();
    two.join();
  };
  check_found(two_readers_write, "data race");
  BOOST_TEST(outcome(two_readers_write, "fifo").starts_with("data race"));  // one after the other
  check_held([] {
    stdx::shared_mutex mutex;
    stdx::watched<int> count{0};
    stdx::thread reader([&] {
      const stdx::shared_lock lock(mutex);
      (void)count.get();
    });
    {
      const stdx::lock_guard lock(mutex);
      count = 1;
    }
    reader.join();
  });
  check_held([] {
    stdx::shared_mutex mutex;
    stdx::latch both(2);
    const auto read = [&] {
      const stdx::shared_lock lock(mutex);
      both.arrive_and_wait();
    };
    stdx::thread one(read);
    stdx::thread two(read);
    one.join();
    two.join();
  });
}

BOOST_AUTO_TEST_CASE(locks_in_two_orders_are_a_deadlock_that_names_both) {
  const auto in_two_orders = [](auto& a, auto& b) {
    stdx::thread other([&] {
      const stdx::lock_guard first(b);
      const stdx::lock_guard second(a);
    });
    {
      const stdx::lock_guard first(a);
      const stdx::lock_guard second(b);
    }
    other.join();
  };
  check_found(
      [&] {
        stdx::mutex a;
        stdx::mutex b;
        in_two_orders(a, b);
      },
      "waits for the mutex of locks_test.cpp");
  check_found(
      [&] {
        stdx::timed_mutex a;
        stdx::timed_mutex b;
        in_two_orders(a, b);
      },
      "which main/thread holds since step");
}

// A lock of several backs off and tries again, as often as others are in its way: no exhaustive
// search without a bound comes to its end.
BOOST_AUTO_TEST_CASE(a_lock_of_several_takes_them_in_any_order) {
  const ExploreResult result = explore(
      {.strategy = "dfs", .schedules_max = 200'000, .preemptions_max = 2}, [](runtime::Runtime&) {
        stdx::mutex a;
        stdx::mutex b;
        stdx::thread other([&] { const stdx::scoped_lock both(b, a); });
        { const stdx::scoped_lock both(a, b); }
        other.join();
      });
  BOOST_TEST(!result.failure);
  BOOST_TEST(result.exhausted);
}

BOOST_AUTO_TEST_CASE(a_timed_lock_gives_up_when_its_time_has_come) {
  check_held([] {
    stdx::timed_mutex mutex;
    mutex.lock();
    stdx::thread other([&] {
      const auto before = stdx::chrono::steady_clock::now();
      ensure(!mutex.try_lock_for(5s), "it is held all the time");
      ensure(stdx::chrono::steady_clock::now() - before == 5s, "it has waited for as long");
    });
    stdx::this_thread::sleep_for(10s);
    ensure(!mutex.try_lock(), "it is held");
    mutex.unlock();
    other.join();
    ensure(mutex.try_lock_for(1s), "it is free");
    mutex.unlock();
  });
}

BOOST_AUTO_TEST_CASE(a_limit_that_has_passed_is_a_look) {
  check_found(
      [] {
        stdx::timed_mutex mutex;
        stdx::counting_semaphore<> places(0);
        mutex.lock();
        stdx::thread other([&] {
          const bool locked = mutex.try_lock_for(0s);
          ensure(locked || places.try_acquire_for(0s), "one of the two waits");
        });
        mutex.unlock();
        places.release();
        other.join();
      },
      "one of the two waits");
}

BOOST_AUTO_TEST_CASE(misuse_of_a_mutex_is_a_finding) {
  check_found(
      [] {
        stdx::mutex mutex;
        mutex.unlock();
      },
      "violation: task main unlocks the mutex of locks_test.cpp");
  check_found(
      [] {
        stdx::mutex mutex;
        mutex.lock();
        mutex.lock();
      },
      "deadlock");
  check_found(
      [] {
        stdx::shared_mutex mutex;
        mutex.unlock_shared();
      },
      "violation");
  check_found([] { const stdx::thread alone([] {}); },
              "violation: task main destroys the thread main/thread, which was neither joined nor "
              "detached");
}

BOOST_AUTO_TEST_CASE(a_condition_wakes_and_a_lost_wakeup_is_explained) {
  check_held([] {
    stdx::mutex mutex;
    stdx::condition_variable changed;
    bool ready = false;
    stdx::thread other([&] {
      {
        const stdx::lock_guard lock(mutex);
        ready = true;
      }
      changed.notify_one();
    });
    stdx::unique_lock lock(mutex);
    changed.wait(lock, [&] { return ready; });
    lock.unlock();
    other.join();
  });
  check_found(
      [] {
        stdx::mutex mutex;
        stdx::condition_variable changed;
        stdx::thread other([&] { changed.notify_one(); });
        stdx::unique_lock lock(mutex);
        changed.wait(lock);
        other.join();
      },
      "a lost wake-up");
  check_held([] {
    stdx::mutex mutex;
    stdx::condition_variable_any changed;
    stdx::unique_lock lock(mutex);
    ensure(changed.wait_for(lock, 3s) == std::cv_status::timeout, "no task notifies");
    ensure(!changed.wait_for(lock, 3s, [] { return false; }), "nor does it come true");
  });
}

BOOST_AUTO_TEST_CASE(semaphores_latches_and_barriers_let_pass_as_many_as_they_should) {
  check_held([] {
    stdx::counting_semaphore<2> places(2);
    stdx::atomic<int> inside{0};
    std::vector<stdx::thread> threads;
    for (int i = 0; i < 2; ++i) {
      threads.emplace_back([&] {
        places.acquire();
        ensure(++inside <= 2, "no more than two are inside");
        --inside;
        places.release();
      });
    }
    for (stdx::thread& thread : threads) {
      thread.join();
    }
    ensure(places.try_acquire() && places.try_acquire() && !places.try_acquire(), "two are free");
    ensure(!places.try_acquire_for(1s), "nobody releases");
  });
  check_held([] {
    stdx::counting_semaphore<> items(0);
    stdx::watched<int> value{0};
    stdx::thread other([&] { value = 1, items.release(2); });
    items.acquire();
    ensure(value == 1 && items.try_acquire(), "what came before the release is there");
    other.join();
  });
  check_held([] {
    stdx::watched<int> value{0};
    stdx::watched<int> sum{0};
    stdx::barrier both(2, [&]() noexcept { sum = value + 1; });
    stdx::thread other([&] { value = 1, both.arrive_and_drop(); });
    both.arrive_and_wait();
    ensure(value + sum == 3, "what came before, and what completed the phase, is there");
    both.arrive_and_wait();
    other.join();
  });
  check_held([] {
    stdx::latch done(2);
    stdx::watched<int> one{0};
    stdx::watched<int> two{0};
    stdx::thread first([&] { one = 1, done.count_down(); });
    stdx::thread second([&] { two = 2, done.count_down(); });
    done.wait();
    ensure(one + two == 3, "what came before the counts is there");
    first.join();
    second.join();
  });
  check_held([] {
    int phases = 0;
    stdx::barrier both(2, [&phases]() noexcept { ++phases; });
    stdx::thread other([&] {
      both.arrive_and_wait();
      both.arrive_and_wait();
    });
    both.arrive_and_wait();
    ensure(phases == 1 || phases == 2, "a phase is complete before it is left");
    both.arrive_and_wait();
    other.join();
    ensure(phases == 2, "each phase is completed once");
  });
}

// What passes depends on the step that opened the way, and on nothing that came between.
BOOST_AUTO_TEST_CASE(what_comes_before_a_pass_is_not_all_before_it) {
  const auto seen = [](const std::string& strategy, bool at_barrier) {
    std::set<int> values;
    int value = 0;
    ExploreOptions options{.strategy = strategy, .schedules_max = 10'000, .repeats = false};
    options.completed = [&](const CompletedRun&) { values.insert(value); };
    const ExploreResult result = explore(options, [&](runtime::Runtime&) {
      stdx::latch opened(1);
      stdx::barrier<> both(2);
      stdx::atomic<int> written{0};
      const auto pass = [&] { at_barrier ? both.arrive_and_wait() : opened.wait(); };
      stdx::thread reader([&] {
        pass();
        value = written;
        at_barrier ? (void)both.arrive() : (void)opened.try_wait();
      });
      opened.count_down();
      pass();
      written = 1;
      at_barrier ? (void)both.arrive() : (void)opened.try_wait();
      reader.join();
    });
    BOOST_TEST(result.exhausted);
    return values.size();
  };
  for (const bool at_barrier : {false, true}) {
    BOOST_TEST(seen("dfs", at_barrier) == 2U);
    BOOST_TEST(seen("dpor", at_barrier) == 2U);
  }
}

BOOST_AUTO_TEST_CASE(what_is_called_once_is_called_once_also_after_an_exception) {
  check_held([] {
    stdx::once_flag once;
    stdx::watched<int> value{0};
    const auto use = [&] {
      stdx::call_once(once, [&] { value = 1; });
      ensure(value == 1, "the call comes before what follows it");
    };
    stdx::thread other(use);
    use();
    other.join();
  });
  check_held([] {
    stdx::once_flag once;
    stdx::watched<int> calls{0};
    int tries = 0;
    const auto call = [&] {
      try {
        stdx::call_once(once, [&] {
          if (++tries == 1) {
            throw std::runtime_error("not yet");
          }
          calls = calls + 1;
        });
      } catch (const std::runtime_error&) {
      }
    };
    stdx::thread one(call);
    stdx::thread two(call);
    one.join();
    two.join();
    call();
    ensure(calls == 1 && tries == 2, "one failed and one was called");
  });
}

BOOST_AUTO_TEST_CASE(what_outlives_a_run_begins_anew) {
  static constinit stdx::mutex kept;
  static stdx::counting_semaphore<4> places(1);
  const PlainBody keeps_it_locked = [] {
    kept.lock();
    places.acquire();
  };
  check_held(keeps_it_locked);
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace watchlab::sim
