#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/runtime/interface.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/runtime.hpp"
#include "core/runtime/time.hpp"

namespace watchlab::workqueue {

/// Decides how long a key waits before it is retried. Any task may call any function. Mirrors
/// client-go util/workqueue/default_rate_limiters.go, TypedRateLimiter.
class RateLimiter : public runtime::Interface {
 public:
  /// The delay before the next attempt. Counts as a failure of the key.
  [[nodiscard]] virtual runtime::Duration when(const std::string& key) = 0;
  /// The key succeeded or was given up: resets its failures.
  virtual void forget(const std::string& key) = 0;
  /// Failures since the key was last forgotten.
  [[nodiscard]] virtual std::size_t num_requeues(const std::string& key) const = 0;
};

/// The size of a token bucket.
struct BucketOptions {
  std::size_t per_second = 10;  ///< tokens added per second; at least 1
  std::size_t burst = 100;      ///< capacity, and initial tokens; at least 1
};

/// A token bucket for all keys together: a caller that finds a token does not wait; others reserve
/// a future token and wait for it. Mirrors client-go util/workqueue/default_rate_limiters.go,
/// BucketRateLimiter. The original counts fractions of tokens in floating point; here a bucket is
/// represented by the time when it is full again, so that all platforms agree.
class BucketRateLimiter final : public RateLimiter {
 public:
  explicit BucketRateLimiter(runtime::Runtime& runtime, BucketOptions options = {});

  [[nodiscard]] runtime::Duration when(const std::string& key) override;
  /// Does nothing: tokens are not returned.
  void forget(const std::string& key) override;
  /// Always 0.
  [[nodiscard]] std::size_t num_requeues(const std::string& key) const override;

 private:
  runtime::Runtime& runtime_;
  const runtime::Duration per_token_;
  const runtime::Duration per_burst_;
  runtime::Mutex mutex_;
  runtime::TimePoint full_at_;
};

/// Counts the failures of each key separately. Base of the limiters that use nothing else.
class ItemRateLimiter : public RateLimiter {
 public:
  explicit ItemRateLimiter(runtime::Runtime& runtime);

  void forget(const std::string& key) override;
  [[nodiscard]] std::size_t num_requeues(const std::string& key) const override;

 protected:
  /// Counts one more failure of the key and returns the previous number.
  std::size_t count_failure(const std::string& key);

 private:
  mutable runtime::Mutex mutex_;
  std::map<std::string, std::size_t> failures_;
};

/// Doubles the wait with each failure of a key: base, 2 base, 4 base … up to `max`.
/// Mirrors client-go util/workqueue/default_rate_limiters.go, ItemExponentialFailureRateLimiter.
class ItemExponentialFailureRateLimiter final : public ItemRateLimiter {
 public:
  ItemExponentialFailureRateLimiter(runtime::Runtime& runtime, runtime::Duration base,
                                    runtime::Duration max)
      : ItemRateLimiter(runtime), base_(base), max_(max) {}

  [[nodiscard]] runtime::Duration when(const std::string& key) override;

 private:
  const runtime::Duration base_;
  const runtime::Duration max_;
};

/// The two delays, and how often the short one is used.
struct FastSlowOptions {
  runtime::Duration fast;
  runtime::Duration slow;
  std::size_t fast_tries_max = 0;
};

/// Retries a key soon a few times, and then only after a long delay. Mirrors client-go
/// util/workqueue/default_rate_limiters.go, ItemFastSlowRateLimiter.
class ItemFastSlowRateLimiter final : public ItemRateLimiter {
 public:
  ItemFastSlowRateLimiter(runtime::Runtime& runtime, FastSlowOptions options)
      : ItemRateLimiter(runtime), options_(options) {}

  [[nodiscard]] runtime::Duration when(const std::string& key) override;

 private:
  const FastSlowOptions options_;
};

/// Asks all of several limiters each time, and takes the longest delay. Mirrors client-go
/// util/workqueue/default_rate_limiters.go, MaxOfRateLimiter.
class MaxOfRateLimiter final : public RateLimiter {
 public:
  explicit MaxOfRateLimiter(std::vector<std::unique_ptr<RateLimiter>> limiters)
      : limiters_(std::move(limiters)) {}

  [[nodiscard]] runtime::Duration when(const std::string& key) override;
  void forget(const std::string& key) override;
  /// The largest number that any of them counts.
  [[nodiscard]] std::size_t num_requeues(const std::string& key) const override;

 private:
  const std::vector<std::unique_ptr<RateLimiter>> limiters_;
};

/// Limits the delays of another limiter to `max`. Mirrors client-go
/// util/workqueue/default_rate_limiters.go, WithMaxWaitRateLimiter.
class WithMaxWaitRateLimiter final : public RateLimiter {
 public:
  WithMaxWaitRateLimiter(std::unique_ptr<RateLimiter> limiter, runtime::Duration max)
      : limiter_(std::move(limiter)), max_(max) {}

  [[nodiscard]] runtime::Duration when(const std::string& key) override;
  void forget(const std::string& key) override;
  [[nodiscard]] std::size_t num_requeues(const std::string& key) const override;

 private:
  const std::unique_ptr<RateLimiter> limiter_;
  const runtime::Duration max_;
};

/// The default for controllers: 5 ms, 10 ms, 20 ms … 1000 s per key, and for all keys together 10
/// retries a second with bursts of 100; the longer delay counts. Mirrors client-go
/// util/workqueue/default_rate_limiters.go, DefaultControllerRateLimiter.
[[nodiscard]] std::unique_ptr<RateLimiter> default_controller_rate_limiter(
    runtime::Runtime& runtime);
/// 1 ms, 2 ms, 4 ms … 1000 s per key. Mirrors client-go util/workqueue/default_rate_limiters.go,
/// DefaultItemBasedRateLimiter.
[[nodiscard]] std::unique_ptr<RateLimiter> default_item_based_rate_limiter(
    runtime::Runtime& runtime);

}  // namespace watchlab::workqueue
