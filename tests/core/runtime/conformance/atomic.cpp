#include "core/runtime/atomic.hpp"

#include "core/runtime/ensure.hpp"
#include "core/runtime/wait_group.hpp"
#include "tests/core/runtime/conformance/conformance.hpp"

namespace watchlab::conformance {
namespace {

using namespace runtime;

void each_operation_is_one_step(Runtime& runtime) {
  Atomic<int> sum(runtime, 0);
  Atomic<int> won(runtime, 0);
  WaitGroup group(runtime);
  for (int task = 0; task < 3; ++task) {
    group.start("adder", [&] {
      sum.fetch_add(1);
      int expected = 0;
      if (won.compare_exchange(expected, 1)) {
        sum.fetch_add(10);
      } else {
        ensure(expected == 1, "a failed exchange did not say what it found");
      }
    });
  }
  group.wait();
  ensure(sum.load() == 13, "an addition was lost or an exchange won twice");
}

void operations_return_what_was_there(Runtime& runtime) {
  Atomic<int> value(runtime, 4);
  ensure(value.fetch_add(3) == 4, "fetch_add returned the sum");
  ensure(value.exchange(1) == 7, "exchange returned the new value");
  value.store(2);
  ensure(value.load() == 2, "a store was lost");
}

std::string a_read_and_a_write_can_be_lost_in_between(Runtime& runtime) {
  Atomic<int> sum(runtime, 0);
  WaitGroup group(runtime);
  for (int task = 0; task < 2; ++task) {
    group.start("adder", [&] {
      const int before = sum.load();
      sum.store(before + 1);
    });
  }
  group.wait();
  return std::to_string(sum.load());
}

/// Of two tasks that each write their own flag and then read the other's, at least one sees it.
std::string writes_are_seen_in_one_order(Runtime& runtime) {
  Atomic<int> left(runtime, 0);
  Atomic<int> right(runtime, 0);
  Atomic<int> seen_by_left(runtime, 0);
  Atomic<int> seen_by_right(runtime, 0);
  WaitGroup group(runtime);
  group.start("left", [&] {
    left.store(1);
    const int seen = right.load();
    seen_by_left.store(seen);
  });
  group.start("right", [&] {
    right.store(1);
    const int seen = left.load();
    seen_by_right.store(seen);
  });
  group.wait();
  std::string seen = std::to_string(seen_by_left.load());
  seen += std::to_string(seen_by_right.load());
  return seen;
}

}  // namespace

Group atomics() {
  return {
      .name = "atomic",
      .claims = {{"each_operation_is_one_step", each_operation_is_one_step},
                 {"operations_return_what_was_there", operations_return_what_was_there}},
      .choices = {{"a_read_and_a_write_can_be_lost_in_between",
                   a_read_and_a_write_can_be_lost_in_between,
                   {"1", "2"}},
                  {"writes_are_seen_in_one_order",
                   writes_are_seen_in_one_order,
                   {"01", "10", "11"}}},
  };
}

}  // namespace watchlab::conformance
