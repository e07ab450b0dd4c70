#pragma once

#include <memory>
#include <string>

#include "core/workqueue/queue.hpp"
#include "core/workqueue/rate_limiters.hpp"

namespace watchlab::workqueue {

/// A queue to which keys can be added after a delay. A task waits for their times; it ends when the
/// queue shuts down, so always shut the queue down before you destroy it. Mirrors client-go
/// util/workqueue/delaying_queue.go, TypedDelayingInterface.
///
/// Differs from client-go: the task sleeps until the next time or the next delayed key, where the
/// original also wakes every 10 s, which callers cannot see. Keys that are due at the same time are
/// added in the order in which they were delayed, where the original promises no order.
class DelayingQueue : public Queue {
 public:
  explicit DelayingQueue(runtime::Runtime& runtime, QueueOptions options = {});
  ~DelayingQueue() override;

  /// Adds the key after `delay`, or at once if that is not positive. If a key is delayed several
  /// times, the earliest time counts, and it is added once; a plain `add` does not cancel a delay.
  /// Does nothing once the queue shuts down; keys that are still delayed then are never added.
  void add_after(const std::string& key, runtime::Duration delay);

  void shut_down() override;
  void shut_down_with_drain() override;

 private:
  class Delays;

  const std::shared_ptr<Delays> delays_;  ///< shared with the task, which can outlive the queue
};

/// A queue for work that can fail. A worker puts a failed key back with `add_rate_limited`, which
/// adds it after the limiter's delay, and calls `forget` when it has succeeded or given up. It must
/// call `done` in either case, too. Shut the queue down before you destroy it. Mirrors client-go
/// util/workqueue/rate_limiting_queue.go, TypedRateLimitingInterface.
class RateLimitingQueue final : public DelayingQueue {
 public:
  RateLimitingQueue(runtime::Runtime& runtime, std::unique_ptr<RateLimiter> limiter,
                    QueueOptions options = {});

  void add_rate_limited(const std::string& key);
  /// Resets the key's failures. Does not remove anything from the queue.
  void forget(const std::string& key);
  /// How often the key has failed since it was last forgotten.
  [[nodiscard]] std::size_t num_requeues(const std::string& key) const;

 private:
  const std::unique_ptr<RateLimiter> limiter_;
};

}  // namespace watchlab::workqueue
