#include "core/workqueue/delaying_queue.hpp"

#include <boost/test/unit_test.hpp>

#include "core/runtime/task.hpp"
#include "core/runtime/wait_group.hpp"
#include "tests/support/campaign.hpp"

BOOST_AUTO_TEST_SUITE(delaying_queue_test)

namespace {

using namespace watchlab;
using runtime::Duration;
using runtime::Runtime;
using tests::expect;
using tests::expect_equal;
using tests::holds_everywhere;
using tests::holds_in_every_world;
using workqueue::DelayingQueue;
using namespace std::chrono_literals;

/// A queue that is shut down at the end of the body, and the time since its start.
class Bench {
 public:
  explicit Bench(Runtime& runtime) : queue(runtime), runtime_(runtime), started_(runtime.now()) {}
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  /// Takes the next key, which must come so long after the start.
  void expect_next(std::string_view key, Duration after) {
    const std::string found = queue.get().value_or("(shut down)");
    expect_equal(found, key);
    const Duration passed = runtime_.now() - started_;
    expect_equal(passed / 1ms, after / 1ms);
    queue.done(found);
  }
  void expect_empty() { expect_equal(static_cast<std::int64_t>(queue.size()), 0); }

  DelayingQueue queue;

 private:
  Runtime& runtime_;
  const runtime::TimePoint started_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_delayed_key_comes_when_its_moment_has_come) {
  holds_in_every_world([](Runtime& runtime) {
    Bench bench(runtime);
    bench.queue.add_after("a", 50ms);
    bench.expect_empty();
    runtime::sleep_for(runtime, 49ms);
    bench.expect_empty();
    bench.expect_next("a", 50ms);
    runtime::sleep_for(runtime, 10min);
    bench.expect_empty();
    bench.queue.shut_down();
  });
}

BOOST_AUTO_TEST_CASE(a_delayed_key_comes_on_os_threads_too) {
  holds_everywhere([](Runtime& runtime) {
    DelayingQueue queue(runtime);
    const runtime::TimePoint due = runtime.now() + 2ms;
    queue.add_after("a", 2ms);
    expect_equal(queue.get().value_or("(shut down)"), "a");
    expect(runtime.now() >= due, "a delayed key came early");
    queue.shut_down();
  });
}

BOOST_AUTO_TEST_CASE(no_delay_adds_at_once) {
  holds_everywhere([](Runtime& runtime) {
    DelayingQueue queue(runtime);
    queue.add_after("a", 0ms);
    queue.add_after("b", -1s);
    expect_equal(static_cast<std::int64_t>(queue.size()), 2);
    queue.shut_down();
  });
}

// Mirrors TestCopyShifting.
BOOST_AUTO_TEST_CASE(keys_come_in_the_order_of_their_moments) {
  holds_in_every_world([](Runtime& runtime) {
    Bench bench(runtime);
    bench.queue.add_after("late", 3s);
    bench.queue.add_after("early", 1s);
    bench.queue.add_after("also early", 1s);
    bench.queue.add_after("early", 1s);  // keeps its place
    bench.queue.add_after("middle", 2s);
    bench.expect_next("early", 1s);
    bench.expect_next("also early", 1s);
    bench.expect_next("middle", 2s);
    bench.expect_next("late", 3s);
    // Also where a worker comes when all are due.
    bench.queue.add_after("one", 1s);
    bench.queue.add_after("two", 500ms);
    bench.queue.add_after("three", 250ms);
    bench.expect_empty();
    runtime::sleep_for(runtime, 2s);
    expect_equal(static_cast<std::int64_t>(bench.queue.size()), 3);
    for (const char* key : {"three", "two", "one"}) {
      bench.expect_next(key, 5s);
    }
    bench.queue.shut_down();
  });
}

// Mirrors TestAddTwoFireEarly.
BOOST_AUTO_TEST_CASE(a_delay_that_is_asked_for_while_others_run_has_its_own_moment) {
  holds_in_every_world([](Runtime& runtime) {
    Bench bench(runtime);
    bench.queue.add_after("first", 1s);
    bench.queue.add_after("second", 50ms);
    bench.expect_empty();
    bench.expect_next("second", 50ms);
    bench.queue.add_after("third", 2s);
    bench.expect_next("first", 1s);
    bench.expect_next("third", 2050ms);
    bench.queue.shut_down();
  });
}

// Mirrors TestDeduping: the second pair comes when the first is over.
BOOST_AUTO_TEST_CASE(of_two_delays_the_one_that_ends_first_counts) {
  holds_in_every_world([](Runtime& runtime) {
    Bench bench(runtime);
    bench.queue.add_after("sooner", 50ms);
    bench.queue.add_after("sooner", 30ms);
    bench.queue.add_after("later", 40ms);
    bench.queue.add_after("later", 70ms);
    bench.expect_empty();
    bench.expect_next("sooner", 30ms);
    bench.expect_next("later", 40ms);
    runtime::sleep_for(runtime, 1s);
    bench.expect_empty();
    bench.queue.add_after("sooner", 50ms);
    bench.queue.add_after("sooner", 30ms);
    bench.expect_empty();
    bench.expect_next("sooner", 1070ms);
    runtime::sleep_for(runtime, 1s);
    bench.expect_empty();
    bench.queue.shut_down();
  });
}

BOOST_AUTO_TEST_CASE(delays_from_several_tasks_are_one) {
  holds_in_every_world([](Runtime& runtime) {
    Bench bench(runtime);
    runtime::WaitGroup group(runtime);
    for (const Duration delay : {20ms, 10ms, 30ms}) {
      group.start("retrier", [&, delay] { bench.queue.add_after("a", delay); });
    }
    group.wait();
    bench.expect_next("a", 10ms);
    runtime::sleep_for(runtime, 1s);
    bench.expect_empty();
    bench.queue.shut_down();
  });
}

BOOST_AUTO_TEST_CASE(a_plain_add_takes_no_delay_away) {
  holds_in_every_world([](Runtime& runtime) {
    Bench bench(runtime);
    bench.queue.add_after("a", 50ms);
    bench.queue.add("a");
    bench.expect_next("a", 0ms);
    bench.expect_next("a", 50ms);
    bench.queue.shut_down();
  });
}

BOOST_AUTO_TEST_CASE(a_delay_that_ends_while_a_worker_has_the_key_waits_for_done) {
  holds_in_every_world([](Runtime& runtime) {
    Bench bench(runtime);
    bench.queue.add("a");
    const std::string key = bench.queue.get().value();
    bench.queue.add_after("a", 5ms);
    runtime::sleep_for(runtime, 20ms);
    bench.expect_empty();
    bench.queue.done(key);
    bench.expect_next("a", 20ms);
    bench.queue.shut_down();
  });
}

BOOST_AUTO_TEST_CASE(delayed_keys_die_with_the_shut_down) {
  holds_in_every_world([](Runtime& runtime) {
    Bench bench(runtime);
    bench.queue.add_after("a", 5ms);
    bench.queue.shut_down();
    bench.queue.add_after("b", 5ms);
    bench.queue.add_after("c", 0ms);
    runtime::sleep_for(runtime, 20ms);
    bench.expect_empty();
    expect(!bench.queue.get().has_value(), "a delayed key came after the shut-down");
  });
}

BOOST_AUTO_TEST_CASE(a_drain_ends_the_waiting_task_too) {
  holds_everywhere([](Runtime& runtime) {
    DelayingQueue queue(runtime);
    queue.add_after("a", 1h);
    queue.shut_down_with_drain();
    expect(!queue.get().has_value(), "a delayed key came after the shut-down");
  });
}

BOOST_AUTO_TEST_CASE(a_key_that_is_due_during_the_shut_down_comes_or_not) {
  holds_in_every_world([](Runtime& runtime) {
    Bench bench(runtime);
    bench.queue.add_after("a", 5ms);
    runtime::sleep_for(runtime, 5ms);
    bench.queue.shut_down();
    const std::optional<std::string> key = bench.queue.get();
    expect(!key || *key == "a", "some other key came");
    expect(!key || !bench.queue.get().has_value(), "the key came twice");
  });
}

BOOST_AUTO_TEST_CASE(a_delay_without_end_does_not_come_at_once) {
  holds_in_every_world([](Runtime& runtime) {
    Bench bench(runtime);
    bench.queue.add_after("never", Duration::max());
    bench.queue.add_after("a", 5ms);
    bench.expect_next("a", 5ms);
    bench.expect_empty();
    bench.queue.shut_down();
  });
}

BOOST_AUTO_TEST_CASE(every_delay_counts_as_a_retry) {
  class Retries final : public workqueue::QueueMetrics {
   public:
    void key_retried() override { ++count; }

    int count = 0;
  };
  holds_in_every_world([](Runtime& runtime) {
    const auto retries = std::make_shared<Retries>();
    DelayingQueue queue(runtime, {.metrics = retries});
    queue.add_after("a", 5ms);
    queue.add_after("a", 0ms);
    queue.add("b");
    queue.shut_down();
    queue.add_after("a", 5ms);
    expect_equal(static_cast<std::int64_t>(retries->count), 2);
  });
}

BOOST_AUTO_TEST_SUITE_END()
