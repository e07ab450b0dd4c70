#pragma once

#include <map>

#include "core/runtime/mutex.hpp"
#include "core/workqueue/rate_limiter.hpp"

namespace watchlab::workqueue {

/// Counts the failures of each key by itself. Base of the limiters that look at nothing else.
class ItemRateLimiter : public RateLimiter {
 public:
  explicit ItemRateLimiter(runtime::Runtime& runtime);

  void forget(const std::string& key) override;
  [[nodiscard]] std::size_t num_requeues(const std::string& key) const override;

 protected:
  /// Counts one more failure of the key and returns how many there were before.
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

/// The two waits, and how often the short one is given.
struct FastSlowOptions {
  runtime::Duration fast;
  runtime::Duration slow;
  std::size_t fast_tries_max = 0;
};

/// Lets a key try again soon a few times, and then only after a long wait.
/// Mirrors client-go util/workqueue/default_rate_limiters.go, ItemFastSlowRateLimiter.
class ItemFastSlowRateLimiter final : public ItemRateLimiter {
 public:
  ItemFastSlowRateLimiter(runtime::Runtime& runtime, FastSlowOptions options)
      : ItemRateLimiter(runtime), options_(options) {}

  [[nodiscard]] runtime::Duration when(const std::string& key) override;

 private:
  const FastSlowOptions options_;
};

}  // namespace watchlab::workqueue
