// Atomics in a world: their operations interleave, their orders decide what is ordered, and waiting
// for one ends.
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <set>
#include <string>

#include "core/runtime/ensure.hpp"
#include "sim/explore/explore.hpp"
#include "sim/std/atomic.hpp"
#include "sim/std/thread.hpp"
#include "tests/sim/std/whole_search.hpp"

namespace watchlab::sim {
BOOST_AUTO_TEST_SUITE(std_atomics_test)

namespace {

using runtime::ensure;
using enum std::memory_order;

/// One writes and then raises a flag; the other sees the flag and reads.
PlainBody message(std::memory_order raise, std::memory_order look) {
  return [raise, look] {
    stdx::watched<int> data{0};
    stdx::atomic<bool> flag{false};
    stdx::thread other([&] {
      data = 1;
      flag.store(true, raise);
    });
    if (flag.load(look)) {
      ensure(data == 1, "the data is there");
    }
    other.join();
  };
}

/// The same with a fence before the store and one after the load.
PlainBody fenced_message(bool before, bool after) {
  return [before, after] {
    stdx::watched<int> data{0};
    stdx::atomic<bool> flag{false};
    stdx::thread other([&] {
      data = 1;
      if (before) {
        stdx::atomic_thread_fence(release);
      }
      flag.store(true, relaxed);
    });
    if (flag.load(relaxed)) {
      if (after) {
        stdx::atomic_thread_fence(acquire);
      }
      (void)data.get();
    }
    other.join();
  };
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_update_is_whole_and_two_accesses_are_not) {
  check_held([] {
    stdx::atomic<int> count{0};
    stdx::thread other([&] { ++count; });
    count += 1;
    other.join();
    ensure(count == 2, "no count is lost");
  });
  check_found(
      [] {
        stdx::atomic<int> count{0};
        stdx::thread other([&] { count = count + 1; });
        count = count + 1;
        other.join();
        ensure(count == 2, "no count is lost");
      },
      "no count is lost");
}

BOOST_AUTO_TEST_CASE(release_and_acquire_order_and_less_does_not) {
  check_held(message(release, acquire));
  check_held(message(seq_cst, seq_cst));
  check_found(message(relaxed, acquire), "data race");
  check_found(message(release, relaxed), "data race");
  check_held(fenced_message(true, true));
  check_found(fenced_message(false, true), "data race");
  check_found(fenced_message(true, false), "data race");
}

BOOST_AUTO_TEST_CASE(a_relaxed_update_continues_what_was_released_and_a_store_ends_it) {
  const auto through_another = [](bool updates) {
    return [updates] {
      stdx::watched<int> data{0};
      stdx::atomic<int> stage{0};
      stdx::thread first([&] {
        data = 1;
        stage.store(1, release);
      });
      stdx::thread second([&] {
        if (stage.load(relaxed) == 1) {
          if (updates) {
            stage.fetch_add(1, relaxed);
          } else {
            stage.store(2, relaxed);
          }
        }
      });
      if (stage.load(acquire) == 2) {
        (void)data.get();
      }
      first.join();
      second.join();
    };
  };
  check_held(through_another(true));
  check_found(through_another(false), "data race");
}

BOOST_AUTO_TEST_CASE(a_failed_exchange_reads_by_its_own_order) {
  const auto with_order = [](std::memory_order failed) {
    return [failed] {
      stdx::watched<int> data{0};
      stdx::atomic<int> stage{0};
      stdx::thread other([&] {
        data = 1;
        stage.store(1, release);
      });
      int expected = 0;
      if (!stage.compare_exchange_strong(expected, 2, acq_rel, failed)) {
        (void)data.get();
      }
      other.join();
    };
  };
  check_held(with_order(acquire));
  check_found(with_order(relaxed), "data race");
}

BOOST_AUTO_TEST_CASE(what_is_watched_counts_like_a_number) {
  stdx::watched<int> count{3};
  BOOST_TEST(count++ == 3);
  BOOST_TEST(count-- == 4);
  BOOST_TEST(++count == 4);
  BOOST_TEST(--count == 3);
  BOOST_TEST((count += 4) == 7);
  BOOST_TEST((count -= 2) == 5);
  stdx::watched<std::string> text{std::string("a")};
  BOOST_TEST((text += "b").get() == "ab");
  const auto racing = [] {
    stdx::watched<int> shared{0};
    stdx::thread other([&] { ++shared; });
    shared -= 1;
    other.join();
  };
  check_found(racing, "data race");
}

BOOST_AUTO_TEST_CASE(a_spinning_task_waits_for_a_write) {
  check_held([] {
    stdx::atomic<bool> flag{false};
    stdx::thread other([&] { flag = true; });
    while (!flag) {
    }
    other.join();
  });
  check_held([] {
    stdx::atomic<bool> flag{false};
    stdx::thread other([&] { flag = true; });
    while (!flag.load()) {
      stdx::this_thread::yield();
    }
    other.join();
  });
  check_held([] {  // one that gives up does so when no other task can go on
    stdx::atomic<bool> flag{false};
    for (int i = 0; i < 10 && !flag; ++i) {
    }
  });
  BOOST_TEST(outcome(
                 [] {
                   stdx::atomic<bool> flag{false};
                   while (!flag) {
                   }
                 },
                 "fifo")
                 .starts_with("livelock"));
  const PlainBody reads_two = [] {
    stdx::atomic<int> one{0};
    stdx::atomic<int> two{0};
    while (one == 0 && two == 0) {
    }
  };
  const std::string endless = outcome(reads_two, "fifo");
  BOOST_TEST(endless.starts_with("livelock"));
  BOOST_TEST(endless.find("main repeats: read ") != std::string::npos);
  BOOST_TEST(endless.find("(:0)") == std::string::npos);
}

// A loop with an end may come to it while others still could write, and reads that are no loop wait
// for nothing.
BOOST_AUTO_TEST_CASE(a_task_that_polls_may_give_up_before_others_continue) {
  check_found(
      [] {
        stdx::atomic<bool> flag{false};
        stdx::thread other([&] { flag = true; });
        int tries = 0;
        while (tries < 10 && !flag) {
          ++tries;
        }
        other.join();
        ensure(tries < 10, "the flag is seen in time");
      },
      "the flag is seen in time");
  check_found(
      [] {
        stdx::atomic<int> value{0};
        stdx::atomic<bool> read{false};
        bool known = false;
        stdx::thread other([&] { known = read, value = 1; });
        int sum = value.load();
        sum += value.load();
        sum += value.load();
        read = true;
        other.join();
        ensure(sum > 0 || !known, "others continue before the third read");
      },
      "others continue before the third read");
  const PlainBody updates = [] {
    stdx::atomic<int> value{0};
    int known = 0;
    stdx::thread other([&] { known = value; });
    (void)value.load();
    (void)value.load();
    ++value;
    other.join();
    ensure(known == 0, "an update waits for others");
  };
  check_found(updates, "an update waits for others");
  BOOST_TEST(outcome(updates, "fifo").starts_with("violation"));  // it is no choice
  const PlainBody sleeps_long = [] {
    stdx::atomic<bool> flag{false};
    stdx::thread other([&] {
      stdx::this_thread::sleep_for(std::chrono::hours(1));
      flag = true;
    });
    while (!flag) {
    }
    other.join();
  };
  BOOST_TEST(outcome(sleeps_long, "dfs") == "held");
}

// It depends on the first write after its reads, and not on those that come later.
BOOST_AUTO_TEST_CASE(a_spinning_task_sees_any_of_several_writes) {
  const auto seen = [](const std::string& strategy) {
    std::set<int> values;
    int value = 0;
    ExploreOptions options{.strategy = strategy, .schedules_max = 10'000, .repeats = false};
    options.completed = [&](const CompletedRun&) { values.insert(value); };
    const ExploreResult result = explore(options, [&](runtime::Runtime&) {
      stdx::atomic<int> written{0};
      stdx::thread other([&] {
        written = 1;
        written = 2;
      });
      while ((value = written) == 0) {
      }
      other.join();
    });
    BOOST_TEST(result.exhausted);
    return values.size();
  };
  BOOST_TEST(seen("dfs") == 2U);
  BOOST_TEST(seen("dpor") == 2U);
}

BOOST_AUTO_TEST_CASE(a_wait_needs_another_value_and_a_notification) {
  check_held([] {
    stdx::atomic<int> value{0};
    stdx::thread other([&] {
      value.store(1);
      value.notify_one();
    });
    value.wait(0);
    other.join();
  });
  check_found(
      [] {
        stdx::atomic<int> value{0};
        stdx::thread other([&] { value.store(1); });
        value.wait(0);
        other.join();
      },
      "deadlock");
  check_held([] {
    stdx::atomic_flag flag;
    stdx::thread other([&] {
      flag.test_and_set();
      flag.notify_all();
    });
    flag.wait(false);
    other.join();
  });
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace watchlab::sim
