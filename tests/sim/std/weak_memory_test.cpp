// Weak memory: which outcomes litmus tests show, and that data races, replay and loops follow. What
// RC11 allows is worked out from its axioms.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <boost/test/unit_test.hpp>
#include <functional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/runtime/ensure.hpp"
#include "sim/explore/explore.hpp"
#include "sim/std/atomic.hpp"
#include "sim/std/condition_variable.hpp"
#include "sim/std/thread.hpp"
#include "tests/sim/std/whole_search.hpp"

namespace watchlab::sim {
BOOST_AUTO_TEST_SUITE(std_weak_memory_test)

namespace {

using runtime::ensure;
using enum std::memory_order;

struct Shared {
  stdx::atomic<int> x{0};
  stdx::atomic<int> y{0};
  std::array<int, 4> seen{};
};
using Thread = std::function<void(Shared&)>;

ExploreResult explore_weakly(const PlainBody& body, const std::string& strategy = "dfs") {
  return explore({.strategy = strategy, .schedules_max = 500'000, .memory = Memory::ReleaseAcquire},
                 [&](runtime::Runtime&) { body(); });
}

/// What the threads have seen, and what the atomics hold in the end: "1,0,0,0 x=1 y=1".
std::set<std::string> outcomes(const std::vector<Thread>& threads,
                               const std::string& strategy = "dfs") {
  std::set<std::string> found;
  const auto body = [&] {
    Shared shared;
    std::vector<stdx::jthread> running;
    for (const Thread& thread : threads) {
      running.emplace_back([&thread, &shared] { thread(shared); });
    }
    for (stdx::jthread& each : running) {
      each.join();
    }
    const int x = shared.x.load(relaxed);
    const int y = shared.y.load(relaxed);
    found.insert(fmt::format("{} x={} y={}", fmt::join(shared.seen, ","), x, y));
  };
  const ExploreResult result = explore_weakly(body, strategy);
  BOOST_TEST(result.exhausted);
  BOOST_TEST(!result.failure);
  return found;
}

void check_outcome(const std::string& outcome, bool allowed, const std::vector<Thread>& threads) {
  BOOST_TEST(outcomes(threads).contains(outcome) == allowed, outcome);
}

/// Each stores to one atomic and reads the other.
std::vector<Thread> store_buffering(std::memory_order store, std::memory_order load, bool fences) {
  const auto fence = [fences] {
    if (fences) {
      stdx::atomic_thread_fence(seq_cst);
    }
  };
  return {[=](Shared& s) {
            s.x.store(1, store);
            fence();
            s.seen[0] = s.y.load(load);
          },
          [=](Shared& s) {
            s.y.store(1, store);
            fence();
            s.seen[1] = s.x.load(load);
          }};
}

std::vector<Thread> message_passing(std::memory_order raise, std::memory_order look) {
  return {[=](Shared& s) {
            s.x.store(1, relaxed);
            s.y.store(1, raise);
          },
          [=](Shared& s) {
            s.seen[0] = s.y.load(look);
            s.seen[1] = s.x.load(relaxed);
          }};
}

std::vector<Thread> two_writes_each(std::memory_order order) {
  return {[=](Shared& s) {
            s.x.store(1, order);
            s.y.store(2, order);
          },
          [=](Shared& s) {
            s.y.store(1, order);
            s.x.store(2, order);
          }};
}

/// Each announces itself, and goes in if the other has not.
PlainBody dekker(std::memory_order store, std::memory_order load) {
  return [=] {
    stdx::watched<int> data{0};
    std::array<stdx::atomic<bool>, 2> wants{};
    const auto enter = [&](std::size_t me) {
      wants[me].store(true, store);
      if (!wants[1 - me].load(load)) {
        data = data + 1;
      }
    };
    stdx::thread other([&] { enter(1); });
    enter(0);
    other.join();
  };
}

}  // namespace

BOOST_AUTO_TEST_CASE(both_stores_are_buffered_unless_all_is_seq_cst) {
  const std::string both = "0,0,0,0 x=1 y=1";
  check_outcome(both, true, store_buffering(relaxed, relaxed, false));
  check_outcome(both, true, store_buffering(release, acquire, false));
  check_outcome(both, true, store_buffering(seq_cst, acquire, false));
  check_outcome(both, true, store_buffering(release, seq_cst, false));
  check_outcome(both, false, store_buffering(seq_cst, seq_cst, false));
  check_outcome(both, false, store_buffering(relaxed, relaxed, true));
}

BOOST_AUTO_TEST_CASE(one_weak_access_is_enough_to_see_a_buffered_store) {
  check_outcome("0,0,0,0 x=1 y=1", true,
                {[](Shared& s) {
                   s.x.store(1);
                   s.seen[0] = s.y.load(relaxed);
                 },
                 [](Shared& s) {
                   s.y.store(1);
                   s.seen[1] = s.x.load();
                 }});
}

BOOST_AUTO_TEST_CASE(a_message_comes_late_unless_released_and_acquired) {
  const std::string late = "1,0,0,0 x=1 y=1";
  check_outcome(late, true, message_passing(relaxed, acquire));
  check_outcome(late, true, message_passing(release, relaxed));
  check_outcome(late, false, message_passing(release, acquire));
}

BOOST_AUTO_TEST_CASE(a_release_sequence_consists_of_updates_only) {
  const auto taken = [](Shared& s) {
    s.seen[0] = s.y.load(acquire);
    s.seen[1] = s.x.load(relaxed);
  };
  const auto released = [](Shared& s) {
    s.x.store(1, relaxed);
    s.y.store(1, release);
  };
  check_outcome("2,0,0,0 x=1 y=2", false,
                {released, [](Shared& s) { s.y.fetch_add(1, relaxed); }, taken});
  check_outcome("2,0,0,0 x=1 y=2", true,
                {[released](Shared& s) {
                   released(s);
                   s.y.store(2, relaxed);
                 },
                 taken});
}

BOOST_AUTO_TEST_CASE(loads_are_not_buffered) {
  check_outcome("1,1,0,0 x=1 y=1", false,
                {[](Shared& s) {
                   s.seen[0] = s.y.load(relaxed);
                   s.x.store(1, relaxed);
                 },
                 [](Shared& s) {
                   s.seen[1] = s.x.load(relaxed);
                   s.y.store(1, relaxed);
                 }});
}

BOOST_AUTO_TEST_CASE(a_store_may_come_before_one_that_was_played_earlier) {
  check_outcome("0,0,0,0 x=1 y=1", true, two_writes_each(relaxed));
  check_outcome("0,0,0,0 x=1 y=1", true, two_writes_each(release));
  check_outcome("0,0,0,0 x=1 y=1", false, two_writes_each(seq_cst));
}

BOOST_AUTO_TEST_CASE(one_atomic_is_coherent) {
  const auto twice = [](Shared& s) {
    s.seen[0] = s.x.load(relaxed);
    s.seen[1] = s.x.load(relaxed);
  };
  check_outcome("1,0,0,0 x=1 y=0", false, {[](Shared& s) { s.x.store(1, relaxed); }, twice});
  check_outcome("0,0,0,0 x=1 y=0", true, {[](Shared& s) { s.x.store(1, relaxed); }, twice});
  check_outcome("2,0,0,0 x=2 y=0", false,
                {[](Shared& s) {
                   s.seen[0] = s.x.load(relaxed);
                   s.x.store(1, relaxed);
                 },
                 [](Shared& s) { s.x.store(2, relaxed); }});
  check_outcome("0,0,0,0 x=1 y=0", false,
                {[](Shared& s) { s.seen[0] = s.x.fetch_add(1, relaxed); },
                 [](Shared& s) { s.seen[1] = s.x.fetch_add(1, relaxed); }});
}

/// Z6.U of the paper: the order of seq_cst accesses contradicts happens-before.
BOOST_AUTO_TEST_CASE(seq_cst_and_weaker_accesses_of_one_atomic_can_disagree) {
  check_outcome("1,3,0,0 x=1 y=3", true,
                {[](Shared& s) {
                   s.x.store(1);
                   s.y.store(1, release);
                 },
                 [](Shared& s) {
                   s.seen[0] = s.y.fetch_add(1, acq_rel);
                   s.seen[1] = s.y.load(relaxed);
                 },
                 [](Shared& s) {
                   s.y.store(3);
                   s.seen[2] = s.x.load();
                 }});
}

BOOST_AUTO_TEST_CASE(dekker_needs_seq_cst) {
  const ExploreResult weak = explore_weakly(dekker(release, acquire));
  BOOST_REQUIRE(weak.failure);
  BOOST_TEST(weak.failure->kind == "data race");
  BOOST_TEST(explore_weakly(dekker(release, acquire), "random").failure.has_value());
  BOOST_TEST(explore_weakly(dekker(release, acquire), "pct").failure.has_value());
  const ExploreResult strong = explore_weakly(dekker(seq_cst, seq_cst));
  BOOST_TEST(!strong.failure);
  BOOST_TEST(verdict(strong) == "exhausted");
}

BOOST_AUTO_TEST_CASE(the_verdict_says_when_weaker_accesses_were_played_as_seq_cst) {
  const auto played = [](const PlainBody& body) {
    return explore({.strategy = "dfs"}, [&](runtime::Runtime&) { body(); });
  };
  const ExploreResult result = played(dekker(release, acquire));
  BOOST_TEST(!result.failure);
  BOOST_TEST(verdict(result) ==
             "exhausted (sequentially consistent interleavings only; 2 weaker accesses)");
  BOOST_TEST(verdict(played(dekker(seq_cst, seq_cst))) == "exhausted");
}

BOOST_AUTO_TEST_CASE(a_schedule_replays_with_the_memory_that_it_was_found_with) {
  const PlainBody body = dekker(release, acquire);
  const auto with_runtime = [&](runtime::Runtime&) { body(); };
  const ExploreResult found = explore_weakly(body, "random");
  BOOST_REQUIRE(found.failure);
  BOOST_CHECK(Schedule::parse(found.failure->schedule).memory == Memory::ReleaseAcquire);
  const std::optional<Failure> again = replay(found.failure->schedule, with_runtime);
  BOOST_REQUIRE(again);
  BOOST_TEST(again->sentence == found.failure->sentence);
  BOOST_TEST(shrink(*found.failure, with_runtime).kind == "data race");
}

BOOST_AUTO_TEST_CASE(a_loop_ends_that_reads_old_values_for_a_while) {
  const auto waits = [] {
    stdx::atomic<bool> ready{false};
    stdx::thread other([&] { ready.store(true, relaxed); });
    while (!ready.load(relaxed)) {
    }
    other.join();
  };
  const ExploreResult result = explore_weakly(waits);
  BOOST_TEST(!result.failure);
  BOOST_TEST(result.exhausted);
}

BOOST_AUTO_TEST_CASE(a_wait_for_an_atomic_ends_although_an_old_value_was_read) {
  const ExploreResult result = explore_weakly([] {
    stdx::atomic<int> turn{0};
    stdx::thread other([&] {
      turn.store(1, release);
      turn.notify_one();
    });
    turn.wait(0, acquire);
    other.join();
  });
  BOOST_TEST(!result.failure);
  BOOST_TEST(result.exhausted);
}

BOOST_AUTO_TEST_CASE(a_weak_exchange_fails_without_a_cause_once_in_a_row) {
  const auto tries = [](std::size_t times) {
    return [times] {
      stdx::atomic<int> value{0};
      bool done = false;
      for (std::size_t i = 0; i < times; ++i) {
        int expected = 0;
        done = done || value.compare_exchange_weak(expected, 1);
      }
      ensure(done, "one of the exchanges succeeds");
    };
  };
  BOOST_TEST(explore_weakly(tries(1)).failure.has_value());
  BOOST_TEST(!explore_weakly(tries(2)).failure.has_value());
  BOOST_TEST(outcome(tries(1), "dfs") == "held");
}

BOOST_AUTO_TEST_CASE(a_wait_without_a_condition_ends_too_early) {
  const PlainBody careless = [] {
    stdx::mutex mutex;
    stdx::condition_variable changed;
    bool ready = false;
    stdx::unique_lock<stdx::mutex> lock(mutex);
    stdx::thread other([&] {
      const stdx::lock_guard<stdx::mutex> held(mutex);
      ready = true;
      changed.notify_one();
    });
    changed.wait(lock);
    ensure(ready, "it waited");
    lock.unlock();
    other.join();
  };
  BOOST_TEST(outcome(careless, "dfs") == "held");
  BOOST_TEST(explore_weakly(careless).failure.has_value());
}

BOOST_AUTO_TEST_CASE(dpor_shows_the_same_outcomes) {
  const std::vector<std::vector<Thread>> programs{store_buffering(relaxed, relaxed, false),
                                                  store_buffering(relaxed, relaxed, true),
                                                  store_buffering(release, seq_cst, false),
                                                  message_passing(release, acquire),
                                                  message_passing(relaxed, relaxed),
                                                  two_writes_each(release),
                                                  two_writes_each(seq_cst)};
  for (const std::vector<Thread>& threads : programs) {
    BOOST_TEST(outcomes(threads, "dpor") == outcomes(threads, "dfs"));
  }
  BOOST_TEST(explore_weakly(dekker(release, acquire), "dpor").failure.has_value());
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace watchlab::sim
