// Deadlocks that a passing run foretells, and those that it must not foretell.
#include "sim/explain/lock_order.hpp"

#include <boost/test/unit_test.hpp>

#include "core/runtime/mutex.hpp"
#include "core/runtime/task.hpp"
#include "sim/explore/explore.hpp"
#include "sim/explore/portfolio_strategy.hpp"
#include "sim/kernel/world.hpp"

namespace watchlab::sim {
BOOST_AUTO_TEST_SUITE(lock_order_test)

namespace {

using runtime::Lock;
using runtime::Mutex;
using runtime::Runtime;
using runtime::Task;
using Body = std::function<void(Runtime&)>;

/// The default run, which holds.
Witness passing_run(const Body& body) {
  World world({.record = true});
  FifoStrategy fifo;
  const RunResult result = world.run(fifo, body);
  BOOST_REQUIRE(!result.failure);
  Numbering objects;
  return witness(result.schedule, body, objects);
}

void opposite_orders(Runtime& runtime) {
  Mutex store(runtime, "store");
  Mutex queue(runtime, "queue");
  const Task reader = spawn(runtime, "reader", [&] {
    const Lock first(store);
    const Lock second(queue);
  });
  const Task writer = spawn(runtime, "writer", [&] {
    const Lock first(queue);
    const Lock second(store);
  });
  reader.join();
  writer.join();
}

void opposite_orders_below_a_gate(Runtime& runtime) {
  Mutex gate(runtime, "gate");
  Mutex store(runtime, "store");
  Mutex queue(runtime, "queue");
  const Task reader = spawn(runtime, "reader", [&] {
    const Lock outermost(gate);
    const Lock first(store);
    const Lock second(queue);
  });
  const Task writer = spawn(runtime, "writer", [&] {
    const Lock outermost(gate);
    const Lock first(queue);
    const Lock second(store);
  });
  reader.join();
  writer.join();
}

void opposite_orders_one_after_the_other(Runtime& runtime) {
  Mutex store(runtime, "store");
  Mutex queue(runtime, "queue");
  {
    const Lock first(store);
    const Lock second(queue);
  }
  const Task writer = spawn(runtime, "writer", [&] {
    const Lock first(queue);
    const Lock second(store);
  });
  writer.join();
  const Lock first(store);
  const Lock second(queue);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_passing_run_foretells_the_deadlock_and_a_directed_run_confirms_it) {
  const Body body = opposite_orders;
  const Witness seen = passing_run(body);
  const std::vector<LockInversion> inversions = predict_lock_inversions(seen);
  BOOST_REQUIRE(inversions.size() == 1);
  const std::string text = inversions.front().to_string(seen);
  BOOST_TEST(text.find("main/reader locks mutex 'store' (lock_order_test.cpp:") == 0U, text);
  BOOST_TEST(text.find("and then locks mutex 'queue'") != std::string::npos, text);
  BOOST_TEST(text.find("main/writer locks mutex 'queue'") != std::string::npos, text);
  const std::optional<Failure> deadlock = confirm(inversions.front(), seen, body);
  BOOST_REQUIRE(deadlock.has_value());
  BOOST_TEST(deadlock->kind == "deadlock");
  BOOST_TEST(replay(deadlock->schedule, body).has_value());
}

BOOST_AUTO_TEST_CASE(a_gate_above_both_locks_keeps_the_orders_apart) {
  BOOST_TEST(predict_lock_inversions(passing_run(opposite_orders_below_a_gate)).empty());
}

BOOST_AUTO_TEST_CASE(tasks_that_run_one_after_the_other_cannot_block_each_other) {
  BOOST_TEST(predict_lock_inversions(passing_run(opposite_orders_one_after_the_other)).empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::sim
