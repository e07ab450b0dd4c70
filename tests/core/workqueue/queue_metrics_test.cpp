#include <boost/test/unit_test.hpp>

#include "core/runtime/task.hpp"
#include "core/workqueue/queue.hpp"
#include "tests/support/campaign.hpp"

BOOST_AUTO_TEST_SUITE(queue_metrics_test)

namespace {

using namespace watchlab;
using runtime::Runtime;
using tests::expect_equal;
using tests::holds_in_every_world;
using workqueue::Queue;
using namespace std::chrono_literals;

/// The next key, which must be there.
std::string take(Queue& queue) { return queue.get().value_or("(shut down)"); }

/// Writes down what it receives, in milliseconds.
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

}  // namespace

// Mirrors TestMetrics, but for its two gauges, which are left out.
BOOST_AUTO_TEST_CASE(a_key_added_again_and_again_while_a_worker_has_it_is_one_addition) {
  holds_in_every_world([](Runtime& runtime) {
    const auto ledger = std::make_shared<Ledger>();
    Queue queue(runtime, {.metrics = ledger});
    queue.add("a");
    runtime::sleep_for(runtime, 50ms);
    take(queue);
    for (int i = 0; i < 5; ++i) {
      queue.add("a");
    }
    expect_equal(ledger->lines, " added1 taken0@50 added1");
    runtime::sleep_for(runtime, 25ms);
    queue.done("a");
    take(queue);
    expect_equal(ledger->lines, " added1 taken0@50 added1 done@25 taken0@25");
    runtime::sleep_for(runtime, 1ms);
    queue.done("a");
    expect_equal(ledger->lines, " added1 taken0@50 added1 done@25 taken0@25 done@1");
  });
}

BOOST_AUTO_TEST_CASE(metrics_show_depth_latency_and_work) {
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
