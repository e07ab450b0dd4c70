#include "core/workqueue/rate_limiters.hpp"

#include <boost/test/unit_test.hpp>

#include "core/runtime/task.hpp"
#include "core/runtime/wait_group.hpp"
#include "tests/support/campaign.hpp"

BOOST_AUTO_TEST_SUITE(rate_limiters_test)

namespace {

using namespace watchlab;
using namespace watchlab::workqueue;
using runtime::Duration;
using runtime::Runtime;
using tests::expect_equal;
using tests::holds_everywhere;
using tests::holds_in_every_world;
using namespace std::chrono_literals;

void expect_waits(RateLimiter& limiter, const std::string& key, std::vector<Duration> waits) {
  for (const Duration wait : waits) {
    expect_equal(limiter.when(key).count(), wait.count());
  }
}

void expect_requeues(const RateLimiter& limiter, const std::string& key, std::int64_t count) {
  expect_equal(static_cast<std::int64_t>(limiter.num_requeues(key)), count);
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_wait_doubles_with_each_failure_of_a_key) {
  holds_everywhere([](Runtime& runtime) {
    ItemExponentialFailureRateLimiter limiter(runtime, 1ms, 1s);
    expect_waits(limiter, "one", {1ms, 2ms, 4ms, 8ms, 16ms});
    expect_requeues(limiter, "one", 5);
    expect_waits(limiter, "two", {1ms, 2ms});
    expect_requeues(limiter, "two", 2);
    limiter.forget("one");
    expect_requeues(limiter, "one", 0);
    expect_waits(limiter, "one", {1ms});
    expect_waits(limiter, "two", {4ms});
  });
}

BOOST_AUTO_TEST_CASE(the_doubled_wait_stops_at_its_maximum) {
  holds_everywhere([](Runtime& runtime) {
    ItemExponentialFailureRateLimiter limiter(runtime, 1ms, 1000s);
    for (int failure = 0; failure < 19; ++failure) {
      expect_waits(limiter, "one", {1ms * (1 << failure)});
    }
    expect_waits(limiter, "one", {524'288ms, 1000s, 1000s});
    for (int failure = 0; failure < 1000; ++failure) {
      static_cast<void>(limiter.when("one"));
    }
    expect_waits(limiter, "one", {1000s});
  });
}

BOOST_AUTO_TEST_CASE(the_doubled_wait_does_not_overflow) {
  holds_everywhere([](Runtime& runtime) {
    ItemExponentialFailureRateLimiter minutes(runtime, 1min, 1000h);
    expect_waits(minutes, "two", {1min, 2min, 4min});
    for (int failure = 0; failure < 1000; ++failure) {
      static_cast<void>(minutes.when("one"));
    }
    expect_waits(minutes, "one", {1000h});
    ItemExponentialFailureRateLimiter steep(runtime, 1h, 1000h);
    ItemExponentialFailureRateLimiter endless(runtime, 1ns, Duration::max());
    for (int failure = 0; failure < 200; ++failure) {
      static_cast<void>(steep.when("one"));
      static_cast<void>(endless.when("one"));
    }
    expect_waits(steep, "one", {1000h});
    expect_waits(endless, "one", {Duration::max()});
    ItemExponentialFailureRateLimiter last(runtime, 1ns, Duration::max());
    for (int failure = 0; failure < 62; ++failure) {
      static_cast<void>(last.when("one"));
    }
    expect_waits(last, "one", {Duration(Duration::rep{1} << 62), Duration::max()});
  });
}

BOOST_AUTO_TEST_CASE(a_few_tries_are_fast_and_the_others_slow) {
  holds_everywhere([](Runtime& runtime) {
    ItemFastSlowRateLimiter limiter(runtime, {.fast = 5ms, .slow = 10s, .fast_tries_max = 3});
    expect_waits(limiter, "one", {5ms, 5ms, 5ms, 10s, 10s});
    expect_requeues(limiter, "one", 5);
    expect_waits(limiter, "two", {5ms, 5ms});
    expect_requeues(limiter, "two", 2);
    limiter.forget("one");
    expect_requeues(limiter, "one", 0);
    expect_requeues(limiter, "two", 2);
    expect_waits(limiter, "one", {5ms, 5ms, 5ms, 10s});
  });
}

BOOST_AUTO_TEST_CASE(no_failure_is_lost_among_tasks) {
  holds_everywhere([](Runtime& runtime) {
    ItemExponentialFailureRateLimiter limiter(runtime, 1ms, 1s);
    runtime::WaitGroup group(runtime);
    for (int task = 0; task < 3; ++task) {
      group.start("worker", [&] { static_cast<void>(limiter.when("one")); });
    }
    group.wait();
    expect_requeues(limiter, "one", 3);
    expect_waits(limiter, "one", {8ms});
  });
}

BOOST_AUTO_TEST_CASE(a_bucket_gives_a_burst_and_then_a_steady_flow) {
  holds_in_every_world([](Runtime& runtime) {
    BucketRateLimiter limiter(runtime, {.per_second = 10, .burst = 3});
    expect_waits(limiter, "a", {0ms, 0ms});
    expect_waits(limiter, "b", {0ms, 100ms, 200ms});
    expect_requeues(limiter, "a", 0);
    limiter.forget("b");
    expect_waits(limiter, "a", {300ms});
    // Three tokens are owed; after 300 ms the bucket is empty, after 450 ms it holds one and a
    // half.
    runtime::sleep_for(runtime, 450ms);
    expect_waits(limiter, "a", {0ms, 50ms});
  });
}

BOOST_AUTO_TEST_CASE(a_bucket_does_not_fill_above_its_burst) {
  holds_in_every_world([](Runtime& runtime) {
    BucketRateLimiter limiter(runtime, {.per_second = 10, .burst = 2});
    runtime::sleep_for(runtime, 1h);
    expect_waits(limiter, "a", {0ms, 0ms, 100ms});
    runtime::sleep_for(runtime, 1h);
    expect_waits(limiter, "a", {0ms, 0ms, 100ms});
  });
}

BOOST_AUTO_TEST_CASE(a_bucket_without_flow_or_room_is_refused) {
  holds_everywhere([](Runtime& runtime) {
    for (const BucketOptions options : {BucketOptions{0, 1}, BucketOptions{1, 0}}) {
      bool refused = false;
      try {
        const BucketRateLimiter limiter(runtime, options);
      } catch (const runtime::EnsureFailed&) {
        refused = true;
      }
      tests::expect(refused, "a bucket that never gives a token was made");
    }
  });
}

BOOST_AUTO_TEST_CASE(the_longest_wait_of_several_counts) {
  holds_everywhere([](Runtime& runtime) {
    std::vector<std::unique_ptr<RateLimiter>> limiters;
    limiters.push_back(std::make_unique<ItemFastSlowRateLimiter>(
        runtime, FastSlowOptions{.fast = 5ms, .slow = 3s, .fast_tries_max = 3}));
    limiters.push_back(std::make_unique<ItemExponentialFailureRateLimiter>(runtime, 1ms, 1000s));
    MaxOfRateLimiter limiter(std::move(limiters));
    expect_waits(limiter, "one", {5ms, 5ms, 5ms, 3s, 3s});
    expect_requeues(limiter, "one", 5);
    expect_waits(limiter, "two", {5ms, 5ms});
    expect_requeues(limiter, "two", 2);
    limiter.forget("one");
    expect_requeues(limiter, "one", 0);
    expect_requeues(limiter, "two", 2);
    expect_waits(limiter, "one", {5ms});
    MaxOfRateLimiter none({});
    expect_waits(none, "one", {0ms});
  });
}

BOOST_AUTO_TEST_CASE(a_maximum_cuts_waits_off) {
  holds_everywhere([](Runtime& runtime) {
    WithMaxWaitRateLimiter limiter(
        std::make_unique<ItemExponentialFailureRateLimiter>(runtime, 1ms, 1000s), 3ms);
    expect_waits(limiter, "one", {1ms, 2ms, 3ms, 3ms});
    expect_requeues(limiter, "one", 4);
    limiter.forget("one");
    expect_waits(limiter, "one", {1ms});
  });
}

BOOST_AUTO_TEST_CASE(controllers_back_off_by_key_and_flow_together) {
  holds_in_every_world([](Runtime& runtime) {
    const std::unique_ptr<RateLimiter> limiter = default_controller_rate_limiter(runtime);
    expect_waits(*limiter, "one", {5ms, 10ms, 20ms});
    for (int other = 0; other < 97; ++other) {
      expect_waits(*limiter, "other" + std::to_string(other), {5ms});
    }
    // The burst of 100 is used up.
    expect_waits(*limiter, "late", {100ms});
    expect_waits(*limiter, "later", {200ms});
    runtime::sleep_for(runtime, 1h);
    for (int failure = 3; failure < 18; ++failure) {
      expect_waits(*limiter, "one", {5ms * (1 << failure)});
    }
    expect_waits(*limiter, "one", {1000s});
  });
}

BOOST_AUTO_TEST_CASE(the_item_based_default_starts_at_a_millisecond) {
  holds_everywhere([](Runtime& runtime) {
    expect_waits(*default_item_based_rate_limiter(runtime), "one", {1ms, 2ms, 4ms});
  });
}

BOOST_AUTO_TEST_SUITE_END()
