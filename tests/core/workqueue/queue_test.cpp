#include "core/workqueue/queue.hpp"

#include <boost/test/unit_test.hpp>
#include <map>

#include "core/runtime/atomic.hpp"
#include "core/runtime/task.hpp"
#include "core/runtime/wait_group.hpp"
#include "tests/support/everywhere.hpp"

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

BOOST_AUTO_TEST_SUITE(queue_test)

BOOST_AUTO_TEST_CASE(a_key_added_twice_comes_once) {
  holds_everywhere([](Runtime& runtime) {
    Queue queue(runtime);
    queue.add("a");
    queue.add("a");
    expect_equal(static_cast<std::int64_t>(queue.size()), 1);
    expect_equal(take(queue), "a");
    expect_equal(static_cast<std::int64_t>(queue.size()), 0);
  });
}

BOOST_AUTO_TEST_CASE(keys_come_in_the_order_of_their_first_addition) {
  holds_everywhere([](Runtime& runtime) {
    Queue queue(runtime);
    for (const char* key : {"b", "a", "c", "a", "b"}) {
      queue.add(key);
    }
    expect_equal(take(queue), "b");
    expect_equal(take(queue), "a");
    expect_equal(take(queue), "c");
  });
}

BOOST_AUTO_TEST_CASE(a_key_added_while_a_worker_has_it_comes_again_once_after_done) {
  holds_everywhere([](Runtime& runtime) {
    Queue queue(runtime);
    queue.add("a");
    take(queue);
    queue.add("a");
    queue.add("a");
    expect_equal(static_cast<std::int64_t>(queue.size()), 0);
    queue.done("a");
    expect_equal(static_cast<std::int64_t>(queue.size()), 1);
    expect_equal(take(queue), "a");
    queue.done("a");
    expect_equal(static_cast<std::int64_t>(queue.size()), 0);
  });
}

BOOST_AUTO_TEST_CASE(a_key_added_again_wakes_a_worker_that_waits_when_the_first_is_done) {
  holds_everywhere([](Runtime& runtime) {
    Queue queue(runtime);
    queue.add("a");
    take(queue);
    const runtime::Task other =
        runtime::spawn(runtime, "other", [&] { expect_equal(take(queue), "a"); });
    queue.add("a");
    queue.done("a");
    other.join();
  });
}

BOOST_AUTO_TEST_CASE(a_key_that_is_done_can_be_added_again) {
  holds_everywhere([](Runtime& runtime) {
    Queue queue(runtime);
    queue.add("a");
    take(queue);
    queue.done("a");
    queue.add("a");
    expect_equal(take(queue), "a");
  });
}

BOOST_AUTO_TEST_CASE(done_of_a_key_that_no_worker_has_does_nothing) {
  holds_everywhere([](Runtime& runtime) {
    Queue queue(runtime);
    queue.done("a");
    queue.add("a");
    queue.done("a");
    expect_equal(static_cast<std::int64_t>(queue.size()), 1);
  });
}

BOOST_AUTO_TEST_CASE(a_worker_waits_for_a_key) {
  holds_everywhere([](Runtime& runtime) {
    Queue queue(runtime);
    const runtime::Task adder = runtime::spawn(runtime, "adder", [&] { queue.add("late"); });
    expect_equal(take(queue), "late");
    adder.join();
  });
}

/// Producers change keys and add them; workers process the latest state of what they get.
class Plant {
 public:
  explicit Plant(Runtime& runtime) : queue_(runtime), workers_(runtime), producers_(runtime) {
    for (const char* key : {"x", "y"}) {
      changes_.try_emplace(key, runtime, 0);
      seen_.try_emplace(key, runtime, 0);
      inside_.try_emplace(key, runtime, 0);
    }
  }

  void run() {
    for (int task = 0; task < 2; ++task) {
      producers_.start("producer", [this] { produce(); });
      workers_.start("worker", [this] { work(); });
    }
    producers_.wait();
    queue_.shut_down();
    workers_.wait();
    for (const char* key : {"x", "y"}) {
      expect_equal(static_cast<std::int64_t>(seen_.at(key).load()), 4);
    }
  }

 private:
  void produce() {
    for (int i = 0; i < 2; ++i) {
      for (const char* key : {"x", "y"}) {
        changes_.at(key).fetch_add(1);
        queue_.add(key);
      }
    }
  }
  void work() {
    while (const std::optional<std::string> key = queue_.get()) {
      expect(inside_.at(*key).fetch_add(1) == 0, "two workers have one key");
      const int latest = changes_.at(*key).load();
      seen_.at(*key).store(latest);
      inside_.at(*key).fetch_add(-1);
      queue_.done(*key);
    }
  }

  Queue queue_;
  runtime::WaitGroup workers_;
  runtime::WaitGroup producers_;
  std::map<std::string, runtime::Atomic<int>> changes_;
  std::map<std::string, runtime::Atomic<int>> seen_;
  std::map<std::string, runtime::Atomic<int>> inside_;
};

BOOST_AUTO_TEST_CASE(no_two_workers_have_one_key_and_no_change_is_missed) {
  holds_everywhere([](Runtime& runtime) { Plant(runtime).run(); });
}

BOOST_AUTO_TEST_CASE(a_worker_that_waits_ends_when_the_queue_shuts_down) {
  holds_everywhere([](Runtime& runtime) {
    Queue queue(runtime);
    runtime::WaitGroup workers(runtime);
    for (int task = 0; task < 2; ++task) {
      workers.start("worker",
                    [&] { expect(!queue.get().has_value(), "a key from an empty queue"); });
    }
    queue.shut_down();
    workers.wait();
    expect(queue.shutting_down(), "a queue that was shut down does not say so");
  });
}

BOOST_AUTO_TEST_CASE(keys_that_wait_still_come_after_the_shut_down) {
  holds_everywhere([](Runtime& runtime) {
    Queue queue(runtime);
    queue.add("a");
    queue.add("b");
    expect(!queue.shutting_down(), "a new queue shuts down");
    queue.shut_down();
    queue.add("c");
    expect_equal(take(queue), "a");
    expect_equal(take(queue), "b");
    expect(!queue.get().has_value(), "a key was added after the shut-down");
  });
}

BOOST_AUTO_TEST_CASE(a_key_added_before_the_shut_down_comes_again_after_done) {
  holds_everywhere([](Runtime& runtime) {
    Queue queue(runtime);
    queue.add("a");
    take(queue);
    queue.add("a");
    queue.shut_down();
    queue.done("a");
    expect_equal(take(queue), "a");
  });
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(queue_drain_test)

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
    queue.done("a");
    settle(runtime);
    expect(!drained.load(), "a drain ended while a worker had a key");
    expect(queue.shutting_down(), "a drain takes new keys");
    queue.done("b");
    drain.join();
  });
}

BOOST_AUTO_TEST_CASE(a_drain_does_not_wait_for_keys_that_no_worker_has) {
  holds_everywhere([](Runtime& runtime) {
    Queue queue(runtime);
    queue.add("a");
    queue.shut_down_with_drain();
    expect_equal(take(queue), "a");
    expect(!queue.get().has_value(), "a drained queue goes on");
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
    take(queue);
    const runtime::Task drain =
        runtime::spawn(runtime, "drain", [&] { queue.shut_down_with_drain(); });
    settle(runtime);
    queue.shut_down();
    drain.join();
  });
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(queue_metrics_test)

/// Writes down what it is told, in milliseconds.
class Ledger final : public workqueue::QueueMetrics {
 public:
  void key_added(std::size_t depth) override { lines += " added" + std::to_string(depth); }
  void key_taken(std::size_t depth, runtime::Duration waited) override {
    lines += " taken" + std::to_string(depth) + "@" + std::to_string(waited / 1ms);
  }
  void key_done(runtime::Duration worked) override {
    lines += " done@" + std::to_string(worked / 1ms);
  }

  std::string lines;
};

BOOST_AUTO_TEST_CASE(metrics_tell_depth_latency_and_work) {
  holds_in_every_world([](Runtime& runtime) {
    const auto ledger = std::make_shared<Ledger>();
    Queue queue(runtime, {.metrics = ledger});
    queue.add("a");
    runtime::sleep_for(runtime, 2ms);
    queue.add("a");
    queue.add("b");
    runtime::sleep_for(runtime, 3ms);
    take(queue);
    runtime::sleep_for(runtime, 4ms);
    queue.add("a");
    queue.done("a");
    take(queue);
    runtime::sleep_for(runtime, 1ms);
    take(queue);
    expect_equal(ledger->lines, " added1 added2 taken1@5 added2 done@4 taken1@7 taken0@1");
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
