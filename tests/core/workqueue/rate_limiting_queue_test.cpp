#include <boost/test/unit_test.hpp>

#include "core/runtime/task.hpp"
#include "core/workqueue/delaying_queue.hpp"
#include "core/workqueue/rate_limiters.hpp"
#include "tests/support/campaign.hpp"

BOOST_AUTO_TEST_SUITE(rate_limiting_queue_test)

namespace {

using namespace watchlab;
using namespace watchlab::workqueue;
using runtime::Duration;
using runtime::Runtime;
using tests::expect_equal;
using tests::holds_everywhere;
using tests::holds_in_every_world;
using namespace std::chrono_literals;

}  // namespace

BOOST_AUTO_TEST_CASE(a_key_that_fails_comes_after_ever_longer_waits) {
  holds_in_every_world([](Runtime& runtime) {
    RateLimitingQueue queue(runtime, default_controller_rate_limiter(runtime));
    queue.add("broken");
    runtime::TimePoint last = runtime.now();
    for (const Duration wait : {0ms, 5ms, 10ms, 20ms, 40ms}) {
      const std::string key = queue.get().value();
      const runtime::TimePoint now = runtime.now();
      expect_equal((now - last) / 1ms, wait / 1ms);
      last = now;
      queue.add_rate_limited(key);
      queue.done(key);
    }
    expect_equal(static_cast<std::int64_t>(queue.num_requeues("broken")), 5);
    queue.shut_down();
  });
}

BOOST_AUTO_TEST_CASE(a_forgotten_key_starts_again) {
  holds_in_every_world([](Runtime& runtime) {
    RateLimitingQueue queue(runtime,
                            std::make_unique<ItemExponentialFailureRateLimiter>(runtime, 1ms, 1s));
    for (int failure = 0; failure < 2; ++failure) {
      queue.add_rate_limited("one");
      queue.done(queue.get().value());
    }
    queue.forget("one");
    expect_equal(static_cast<std::int64_t>(queue.num_requeues("one")), 0);
    const runtime::TimePoint before = runtime.now();
    queue.add_rate_limited("one");
    queue.done(queue.get().value());
    expect_equal((runtime.now() - before) / 1ms, 1);
    queue.shut_down();
  });
}

// Mirrors TestRateLimitingQueue.
BOOST_AUTO_TEST_CASE(each_key_has_waits_and_a_count_of_its_own) {
  holds_in_every_world([](Runtime& runtime) {
    RateLimitingQueue queue(runtime,
                            std::make_unique<ItemExponentialFailureRateLimiter>(runtime, 1ms, 1s));
    const auto expect_wait = [&](const std::string& key, Duration wait) {
      const runtime::TimePoint before = runtime.now();
      queue.add_rate_limited(key);
      expect_equal(queue.get().value(), key);
      queue.done(key);
      expect_equal((runtime.now() - before).count(), wait.count());
    };
    expect_wait("one", 1ms);
    expect_wait("one", 2ms);
    expect_equal(static_cast<std::int64_t>(queue.num_requeues("one")), 2);
    expect_wait("two", 1ms);
    expect_wait("two", 2ms);
    queue.forget("one");
    expect_equal(static_cast<std::int64_t>(queue.num_requeues("one")), 0);
    expect_equal(static_cast<std::int64_t>(queue.num_requeues("two")), 2);
    expect_wait("one", 1ms);
    expect_wait("two", 4ms);
    queue.shut_down();
  });
}

BOOST_AUTO_TEST_CASE(forgetting_takes_nothing_out_of_the_queue) {
  holds_everywhere([](Runtime& runtime) {
    RateLimitingQueue queue(runtime,
                            std::make_unique<ItemExponentialFailureRateLimiter>(runtime, 1ms, 1s));
    queue.add_rate_limited("one");
    queue.forget("one");
    expect_equal(queue.get().value_or("(shut down)"), "one");
    queue.shut_down();
  });
}

BOOST_AUTO_TEST_SUITE_END()
