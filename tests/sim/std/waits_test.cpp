// Waits in a world: reports say what a task waits for and who holds it, and a search plays each way
// in which waits can come out, and none twice.
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <string>
#include <vector>

#include "core/runtime/ensure.hpp"
#include "sim/explain/witness.hpp"
#include "sim/explore/explore.hpp"
#include "sim/std/atomic.hpp"
#include "sim/std/barrier.hpp"
#include "sim/std/latch.hpp"
#include "sim/std/mutex.hpp"
#include "sim/std/semaphore.hpp"
#include "sim/std/thread.hpp"
#include "tests/sim/std/whole_search.hpp"

namespace watchlab::sim {
BOOST_AUTO_TEST_SUITE(std_waits_test)

namespace {

/// How many runs a search of everything plays that plays no two that differ in the order of
/// independent steps alone.
std::size_t runs_of(const PlainBody& body) {
  const ExploreResult result =
      explore({.strategy = "dpor", .early_advances_max = 0}, [&](runtime::Runtime&) { body(); });
  BOOST_TEST(!result.failure);
  BOOST_TEST(result.exhausted);
  return result.executions;
}

}  // namespace

// They are told apart by which was used first.
BOOST_AUTO_TEST_CASE(two_mutexes_of_one_class_have_a_name_each) {
  struct Account {
    stdx::mutex mutex;
    stdx::timed_mutex timed;
  };
  const auto transfer = [](auto part) {
    return [part] {
      Account a;
      Account b;
      stdx::thread other([&] {
        const stdx::lock_guard from(b.*part);
        const stdx::lock_guard to(a.*part);
      });
      {
        const stdx::lock_guard from(a.*part);
        const stdx::lock_guard to(b.*part);
      }
      other.join();
    };
  };
  for (const PlainBody& body :
       {PlainBody(transfer(&Account::mutex)), PlainBody(transfer(&Account::timed))}) {
    check_found(body, "waits for the mutex of waits_test.cpp");
    check_found(body, "waits for mutex 2 of waits_test.cpp");
  }
}

BOOST_AUTO_TEST_CASE(who_waits_in_vain_is_named) {
  check_found([] { stdx::binary_semaphore(0).acquire(); }, "waits for the semaphore of waits_test");
  check_found([] { stdx::latch(1).wait(); }, "waits for the latch of waits_test");
  check_found([] { stdx::barrier<>(2).arrive_and_wait(); }, "waits for the barrier of waits_test");
  check_found([] { stdx::binary_semaphore(1).release(); }, "beyond its largest value");
  check_found([] { stdx::latch(1).count_down(2); }, "below zero");
}

// One that has unlocked holds it no more, and one that has ended still does.
BOOST_AUTO_TEST_CASE(who_holds_what_is_waited_for_is_named) {
  check_found(
      [] {
        stdx::timed_mutex mutex;
        mutex.lock();
        mutex.unlock();
        stdx::thread([&] { mutex.lock(); }).join();
        mutex.lock();
      },
      "which main/thread holds since step");
  check_found(
      [] {
        stdx::shared_mutex mutex;
        stdx::thread([&] { mutex.lock_shared(); }).join();
        mutex.lock_shared();
        mutex.unlock_shared();
        mutex.lock();
      },
      "and that task has ended without unlocking it");
}

// What waits for one step depends on that step alone: not on looks after it, nor on others that
// wait. Were it less, ways in which a run can come out would be missing.
BOOST_AUTO_TEST_CASE(a_search_plays_each_order_that_counts_once) {
  const auto looks = runs_of([] {
    stdx::latch open(1);
    stdx::thread other([&] { open.wait(); });
    open.count_down();
    (void)open.try_wait();
    (void)open.try_wait();
    other.join();
  });
  BOOST_TEST(looks == 1U);
  const auto phases = runs_of([] {
    stdx::barrier<> both(2);
    const auto arrive_twice = [&] {
      both.arrive_and_wait();
      both.arrive_and_wait();
    };
    stdx::thread other(arrive_twice);
    arrive_twice();
    other.join();
  });
  BOOST_TEST(phases == 4U);  // who is last, in each phase
  const auto notified = runs_of([] {
    stdx::atomic<int> value{0};
    const auto wait = [&] { value.wait(0); };
    stdx::thread one(wait);
    stdx::thread two(wait);
    value.store(1);
    value.notify_all();
    one.join();
    two.join();
  });
  BOOST_TEST(notified == 9U);  // each sees the value, or waits, or looks in between
}

// A search plays as many runs without that; explanations would not say whom the step let continue.
BOOST_AUTO_TEST_CASE(the_step_that_opens_a_way_names_who_continues) {
  const auto body = [](runtime::Runtime&) {
    stdx::binary_semaphore begun(0);
    stdx::latch open(2);
    stdx::thread other([&] {
      begun.release();
      open.wait();
    });
    begun.acquire();
    open.count_down();
    open.count_down();
    other.join();
    runtime::ensure(false, "the run is looked at");
  };
  const ExploreResult found = explore({.strategy = "fifo"}, body);
  BOOST_REQUIRE(found.failure);
  Numbering objects;
  const Witness seen = witness(found.failure->schedule, body, objects);
  std::vector<std::string> continues;
  for (const WitnessedStep& step : seen.steps) {
    if (step.done.kind == OperationKind::GateChange) {
      continues.push_back(step.woken.empty() ? "none" : seen.name(step.woken.front()));
    }
  }
  BOOST_TEST(continues == (std::vector<std::string>{"none", "none", "main/thread"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace watchlab::sim
