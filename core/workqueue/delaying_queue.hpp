#pragma once

#include <memory>
#include <string>

#include "core/workqueue/queue.hpp"
#include "core/workqueue/rate_limiters.hpp"

namespace watchlab::workqueue {

/// A queue to which keys can be added later. Has a task that waits for their moments; the task ends
/// when the queue shuts down. So shut it down before it is destroyed, always.
/// Mirrors client-go util/workqueue/delaying_queue.go, TypedDelayingInterface.
///
/// Differs from client-go: the task sleeps until the next moment or the next delayed key; the
/// original also wakes every 10 s, which no caller can see. Of keys with the same moment the one
/// that was delayed first comes first; the original promises no order.
class DelayingQueue : public Queue {
 public:
  explicit DelayingQueue(runtime::Runtime& runtime, QueueOptions options = {});
  ~DelayingQueue() override;

  /// Adds the key after `delay`, at once if that is not positive. Of several delays of one key the
  /// one that ends first counts, and then the key is added once; a plain `add` takes no delay away.
  /// Does nothing once the queue shuts down; keys that are delayed then are never added.
  void add_after(const std::string& key, runtime::Duration delay);

  void shut_down() override;
  void shut_down_with_drain() override;

 private:
  class Delays;

  const std::shared_ptr<Delays> delays_;  ///< the task's too, because it can end after the queue
};

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
