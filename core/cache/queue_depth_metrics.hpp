#pragma once

#include <cstddef>

namespace watchlab::cache {

/// What a queue tells of its length. Does nothing unless overridden; called under the queue's lock
/// by whoever changes the queue, so it must not block or call the queue.
/// Differs from client-go: 0.32 does not measure its queues; later releases do.
class QueueDepthMetrics {
 public:
  QueueDepthMetrics() = default;
  QueueDepthMetrics(const QueueDepthMetrics&) = delete;
  QueueDepthMetrics& operator=(const QueueDepthMetrics&) = delete;
  virtual ~QueueDepthMetrics() = default;

  /// So many keys are queued now. Called after each change, and after each pop before the item is
  /// processed.
  virtual void depth_is(std::size_t /*depth*/) {}
};

}  // namespace watchlab::cache
