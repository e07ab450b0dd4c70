#pragma once

#include <memory>

#include "core/workqueue/delaying_queue.hpp"
#include "core/workqueue/rate_limiter.hpp"

namespace watchlab::workqueue {

/// A queue for work that can fail: a worker puts the key back with `add_rate_limited`, which adds
/// it after as long as the limiter says, and calls `forget` once it succeeded or gave up. Both are
/// beside `done`, which the worker calls in every case. Shut it down before it is destroyed.
/// Mirrors client-go util/workqueue/rate_limiting_queue.go, TypedRateLimitingInterface.
class RateLimitingQueue final : public DelayingQueue {
 public:
  RateLimitingQueue(runtime::Runtime& runtime, std::unique_ptr<RateLimiter> limiter,
                    QueueOptions options = {});

  void add_rate_limited(const std::string& key);
  /// Failures of the key count no longer. Takes nothing out of the queue.
  void forget(const std::string& key);
  /// How often the key failed since it was last forgotten.
  [[nodiscard]] std::size_t num_requeues(const std::string& key) const;

 private:
  const std::unique_ptr<RateLimiter> limiter_;
};

}  // namespace watchlab::workqueue
