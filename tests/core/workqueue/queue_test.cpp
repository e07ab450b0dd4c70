#include "core/workqueue/queue.hpp"

#include <boost/test/unit_test.hpp>
#include <map>

#include "core/runtime/atomic.hpp"
#include "core/runtime/task.hpp"
#include "core/runtime/wait_group.hpp"
#include "tests/support/campaign.hpp"

BOOST_AUTO_TEST_SUITE(queue_test)

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

}  // namespace

// Mirrors TestCollapse.
BOOST_AUTO_TEST_CASE(a_key_added_twice_comes_once) {
  holds_everywhere([](Runtime& runtime) {
    Queue queue(runtime);
    queue.add("a");
    queue.add("a");
    expect_equal(static_cast<std::int64_t>(queue.size()), 1);
    expect_equal(take(queue), "a");
    expect_equal(static_cast<std::int64_t>(queue.size()), 0);
    queue.done("a");
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

// Mirrors TestCollapseWhileProcessing.
BOOST_AUTO_TEST_CASE(a_key_that_a_worker_has_is_given_to_no_other_until_it_is_done) {
  holds_in_every_world([](Runtime& runtime) {
    Queue queue(runtime);
    queue.add("a");
    expect_equal(take(queue), "a");
    queue.add("a");
    queue.add("a");
    runtime::Atomic<bool> taken(runtime, false);
    const runtime::Task other = runtime::spawn(runtime, "other", [&] {
      expect_equal(take(queue), "a");
      taken.store(true);
      queue.done("a");
    });
    settle(runtime);
    expect(!taken.load(), "two workers have one key");
    queue.done("a");
    other.join();
    expect_equal(static_cast<std::int64_t>(queue.size()), 0);
  });
}

// Mirrors TestLen and TestReinsert.
BOOST_AUTO_TEST_CASE(the_size_counts_keys_that_wait_and_each_once) {
  holds_everywhere([](Runtime& runtime) {
    Queue queue(runtime);
    const auto expect_size = [&](std::int64_t size) {
      expect_equal(static_cast<std::int64_t>(queue.size()), size);
    };
    expect_size(0);
    queue.add("a");
    expect_size(1);
    queue.add("b");
    expect_size(2);
    queue.add("a");
    expect_size(2);
    expect_equal(take(queue), "a");
    expect_size(1);
    queue.add("a");
    expect_size(1);
    queue.done("a");
    expect_size(2);
    expect_equal(take(queue), "b");
    expect_equal(take(queue), "a");
    queue.done("a");
    queue.done("b");
    expect_size(0);
  });
}

// Mirrors TestBasic and TestAddWhileProcessing.
BOOST_AUTO_TEST_CASE(whatever_ends_it_workers_get_what_was_added_before_and_nothing_after) {
  for (const bool drain : {false, true}) {
    holds_everywhere([drain](Runtime& runtime) {
      Queue queue(runtime);
      runtime::WaitGroup producers(runtime);
      runtime::WaitGroup workers(runtime);
      std::map<std::string, runtime::Atomic<int>> processed;
      for (const char* key : {"0", "1", "2"}) {
        processed.try_emplace(key, runtime, 0);
        producers.start("producer", [&queue, key] {
          queue.add(key);
          queue.add(key);
        });
      }
      for (int task = 0; task < 2; ++task) {
        workers.start("worker", [&queue, &processed] {
          std::map<std::string, int> own;
          while (const std::optional<std::string> key = queue.get()) {
            processed.at(*key).fetch_add(1);
            // Each worker adds each key again once: it may be refused, if the queue is ending.
            if (++own[*key] < 2) {
              queue.add(*key);
            }
            queue.done(*key);
          }
        });
      }
      producers.wait();
      drain ? queue.shut_down_with_drain() : queue.shut_down();
      queue.add("after");  // No task could count it.
      workers.wait();
      expect_equal(static_cast<std::int64_t>(queue.size()), 0);
      for (const auto& [key, times] : processed) {
        expect(1 <= times.load() && times.load() <= 4, "each key comes, and no more than added");
      }
    });
  }
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
