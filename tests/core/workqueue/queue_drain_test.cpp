#include <boost/test/unit_test.hpp>

#include "core/runtime/atomic.hpp"
#include "core/runtime/task.hpp"
#include "core/runtime/wait_group.hpp"
#include "core/workqueue/queue.hpp"
#include "tests/support/campaign.hpp"

BOOST_AUTO_TEST_SUITE(queue_drain_test)

namespace {

using namespace watchlab;
using runtime::Runtime;
using tests::expect;
using tests::expect_equal;
using tests::holds_everywhere;
using tests::holds_in_every_world;
using workqueue::Queue;
using namespace std::chrono_literals;

/// The next key, which must be there.
std::string take(Queue& queue) { return queue.get().value_or("(shut down)"); }

/// Lets every other task come to where it waits; exact in virtual time.
void settle(Runtime& runtime) { runtime::sleep_for(runtime, 1ms); }

}  // namespace

BOOST_AUTO_TEST_CASE(a_drain_waits_for_the_keys_that_workers_have) {
  holds_in_every_world([](Runtime& runtime) {
    Queue queue(runtime);
    queue.add("a");
    queue.add("b");
    take(queue);
    take(queue);
    runtime::Atomic<bool> drained(runtime, false);
    const runtime::Task drain = runtime::spawn(runtime, "drain", [&] {
      queue.shut_down_with_drain();
      drained.store(true);
    });
    settle(runtime);
    expect(!queue.get().has_value(), "a worker that asks during a drain is sent home");
    expect(!drained.load(), "a drain ended while workers had keys");
    queue.done("a");
    settle(runtime);
    expect(!drained.load(), "a drain ended while a worker had a key");
    expect(queue.shutting_down(), "a drain takes new keys");
    queue.done("b");
    drain.join();
  });
}

// Mirrors TestNoQueueDrainageUsingShutDown.
BOOST_AUTO_TEST_CASE(a_shut_down_does_not_wait_for_the_keys_that_workers_have) {
  holds_everywhere([](Runtime& runtime) {
    Queue queue(runtime);
    queue.add("a");
    queue.add("b");
    take(queue);
    take(queue);
    queue.shut_down();
    expect(!queue.get().has_value(), "a key from an empty queue");
  });
}

// Mirrors TestQueueDrainageUsingShutDownWithDrainWithDirtyItem.
BOOST_AUTO_TEST_CASE(
    a_key_added_again_before_a_drain_comes_when_the_first_is_done_and_is_the_last) {
  holds_in_every_world([](Runtime& runtime) {
    Queue queue(runtime);
    queue.add("a");
    take(queue);
    queue.add("a");
    runtime::Atomic<bool> drained(runtime, false);
    const runtime::Task drain = runtime::spawn(runtime, "drain", [&] {
      queue.shut_down_with_drain();
      drained.store(true);
    });
    settle(runtime);
    expect(!queue.get().has_value(), "nothing waits as long as a worker has the key");
    expect(!drained.load(), "a drain ended while a worker had a key");
    queue.done("a");
    expect_equal(take(queue), "a");
    queue.done("a");
    expect(!queue.get().has_value(), "a drained queue continues");
    drain.join();
  });
}

BOOST_AUTO_TEST_CASE(a_drain_does_not_wait_for_keys_that_no_worker_has) {
  holds_everywhere([](Runtime& runtime) {
    Queue queue(runtime);
    queue.add("a");
    queue.shut_down_with_drain();
    expect_equal(take(queue), "a");
    expect(!queue.get().has_value(), "a drained queue continues");
  });
}

BOOST_AUTO_TEST_CASE(a_key_added_again_is_still_delivered_during_a_drain) {
  holds_everywhere([](Runtime& runtime) {
    Queue queue(runtime);
    queue.add("a");
    take(queue);
    queue.add("a");
    const runtime::Task drain =
        runtime::spawn(runtime, "drain", [&] { queue.shut_down_with_drain(); });
    queue.done("a");
    expect_equal(take(queue), "a");
    queue.done("a");
    drain.join();
  });
}

BOOST_AUTO_TEST_CASE(all_of_several_drains_end) {
  holds_everywhere([](Runtime& runtime) {
    Queue queue(runtime);
    queue.add("a");
    take(queue);
    runtime::WaitGroup drains(runtime);
    for (int task = 0; task < 2; ++task) {
      drains.start("drain", [&] { queue.shut_down_with_drain(); });
    }
    queue.done("a");
    drains.wait();
  });
}

BOOST_AUTO_TEST_CASE(a_drain_beside_waiting_workers_ends) {
  holds_everywhere([](Runtime& runtime) {
    Queue queue(runtime);
    runtime::WaitGroup workers(runtime);
    for (int task = 0; task < 2; ++task) {
      workers.start("worker", [&] {
        while (const std::optional<std::string> key = queue.get()) {
          queue.done(*key);
        }
      });
    }
    queue.add("a");
    queue.add("b");
    queue.shut_down_with_drain();
    workers.wait();
  });
}

BOOST_AUTO_TEST_CASE(a_shut_down_ends_a_drain) {
  holds_in_every_world([](Runtime& runtime) {
    Queue queue(runtime);
    queue.add("stuck");
    queue.add("also stuck");
    take(queue);
    take(queue);
    const runtime::Task drain =
        runtime::spawn(runtime, "drain", [&] { queue.shut_down_with_drain(); });
    settle(runtime);
    expect(!queue.get().has_value(), "a worker that asks during a drain is sent home");
    queue.shut_down();
    drain.join();
  });
}

BOOST_AUTO_TEST_SUITE_END()
