#pragma once

#include "core/runtime/mutex.hpp"
#include "core/workqueue/rate_limiter.hpp"

namespace watchlab::workqueue {

/// The size of a token bucket.
struct BucketOptions {
  std::size_t per_second = 10;  ///< tokens that flow in; at least 1
  std::size_t burst = 100;      ///< tokens that fit in, and are there at first; at least 1
};

/// A token bucket for all keys together: who finds a token does not wait, who does not reserves one
/// that is to come and waits for it. Mirrors client-go util/workqueue/default_rate_limiters.go,
/// BucketRateLimiter. The original counts fractions of tokens in floating point; here a bucket is
/// known by the moment at which it is full again, so that all platforms agree.
class BucketRateLimiter final : public RateLimiter {
 public:
  explicit BucketRateLimiter(runtime::Runtime& runtime, BucketOptions options = {});

  [[nodiscard]] runtime::Duration when(const std::string& key) override;
  /// Does nothing: tokens do not come back.
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

}  // namespace watchlab::workqueue
