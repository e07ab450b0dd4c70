#include "core/runtime/wait_group.hpp"

#include "core/runtime/atomic.hpp"
#include "core/runtime/ensure.hpp"
#include "tests/core/runtime/conformance/conformance.hpp"

namespace watchlab::conformance {
namespace {

using namespace runtime;

void waiting_for_nothing_comes_back(Runtime& runtime) { WaitGroup(runtime).wait(); }

void a_wait_lasts_until_all_are_done(Runtime& runtime) {
  WaitGroup group(runtime);
  Atomic<int> done(runtime, 0);
  for (int task = 0; task < 3; ++task) {
    group.start("worker", [&] {
      runtime.yield(Location::current());
      done.fetch_add(1);
    });
  }
  group.wait();
  ensure(done.load() == 3, "a wait ended before the work");
}

void all_waiters_continue(Runtime& runtime) {
  WaitGroup work(runtime);
  work.add(2);
  WaitGroup waiters(runtime);
  Atomic<int> gone_on(runtime, 0);
  for (int task = 0; task < 3; ++task) {
    waiters.start("waiter", [&] {
      work.wait();
      gone_on.fetch_add(1);
    });
  }
  work.done();
  settle(runtime);
  ensure(gone_on.load() == 0, "a waiter went on while something was left");
  work.done();
  waiters.wait();
}

void a_group_can_be_used_again(Runtime& runtime) {
  WaitGroup group(runtime);
  Atomic<int> done(runtime, 0);
  for (int round = 1; round <= 3; ++round) {
    group.start("worker", [&] { done.fetch_add(1); });
    group.wait();
    ensure(done.load() == round, "a later round did not wait");
  }
}

void several_can_be_counted_at_once(Runtime& runtime) {
  WaitGroup group(runtime);
  group.add(3);
  group.add(-2);
  group.add(-1);
  group.wait();
}

void a_negative_counter_panics(Runtime& runtime) {
  WaitGroup group(runtime);
  ensure(panics([&] { group.done(); }), "the counter went below zero");
  WaitGroup other(runtime);
  other.add(1);
  ensure(panics([&] { other.add(-2); }), "the counter went below zero");
}

void what_was_done_before_is_seen_after(Runtime& runtime) {
  WaitGroup group(runtime);
  int result = 0;
  group.start("worker", [&] { result = 5; });
  group.wait();
  ensure(result == 5, "waiting did not publish the work");
}

void a_counter_that_no_task_ends_is_waited_for(Runtime& runtime) {
  WaitGroup group(runtime);
  group.add();
  group.wait();
}

}  // namespace

Group wait_groups() {
  return {
      .name = "wait_group",
      .claims = {{"waiting_for_nothing_comes_back", waiting_for_nothing_comes_back},
                 {"a_wait_lasts_until_all_are_done", a_wait_lasts_until_all_are_done},
                 {"all_waiters_continue", all_waiters_continue},
                 {"a_group_can_be_used_again", a_group_can_be_used_again},
                 {"several_can_be_counted_at_once", several_can_be_counted_at_once},
                 {"a_negative_counter_panics", a_negative_counter_panics},
                 {"what_was_done_before_is_seen_after", what_was_done_before_is_seen_after}},
      .deadlocks = {{"a_counter_that_no_task_ends_is_waited_for",
                     a_counter_that_no_task_ends_is_waited_for}},
  };
}

}  // namespace watchlab::conformance
