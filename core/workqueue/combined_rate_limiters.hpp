#pragma once

#include <memory>
#include <vector>

#include "core/runtime/runtime.hpp"
#include "core/workqueue/rate_limiter.hpp"

namespace watchlab::workqueue {

/// Asks several limiters, each time all of them, and takes the longest wait.
/// Mirrors client-go util/workqueue/default_rate_limiters.go, MaxOfRateLimiter.
class MaxOfRateLimiter final : public RateLimiter {
 public:
  explicit MaxOfRateLimiter(std::vector<std::unique_ptr<RateLimiter>> limiters)
      : limiters_(std::move(limiters)) {}

  [[nodiscard]] runtime::Duration when(const std::string& key) override;
  void forget(const std::string& key) override;
  /// The most that any of them counts.
  [[nodiscard]] std::size_t num_requeues(const std::string& key) const override;

 private:
  const std::vector<std::unique_ptr<RateLimiter>> limiters_;
};

/// Another limiter whose waits are cut off at `max`.
/// Mirrors client-go util/workqueue/default_rate_limiters.go, WithMaxWaitRateLimiter.
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

/// What controllers use unless they say otherwise: 5 ms, 10 ms, 20 ms … 1000 s a key, and for all
/// keys together 10 tries a second with bursts of 100; the longer wait counts.
/// Mirrors client-go util/workqueue/default_rate_limiters.go, DefaultControllerRateLimiter.
[[nodiscard]] std::unique_ptr<RateLimiter> default_controller_rate_limiter(
    runtime::Runtime& runtime);
/// 1 ms, 2 ms, 4 ms … 1000 s a key.
/// Mirrors client-go util/workqueue/default_rate_limiters.go, DefaultItemBasedRateLimiter.
[[nodiscard]] std::unique_ptr<RateLimiter> default_item_based_rate_limiter(
    runtime::Runtime& runtime);

}  // namespace watchlab::workqueue
