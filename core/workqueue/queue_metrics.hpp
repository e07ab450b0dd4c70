#pragma once

#include <cstddef>

#include "core/runtime/time.hpp"

namespace watchlab::workqueue {

/// What a queue counts. Every function does nothing unless overridden; they are called by whoever
/// uses the queue, most of them under its lock, and must not block or call the queue.
/// The depth is the number of keys that are to be processed, those included that were added again
/// while they are being processed.
/// Mirrors client-go util/workqueue/metrics.go, MetricsProvider, as one object a queue in place of
/// seven metrics. Differs from client-go: the gauges of work that is not done yet are left out,
/// because they need a task of their own.
class QueueMetrics {
 public:
  QueueMetrics() = default;
  QueueMetrics(const QueueMetrics&) = delete;
  QueueMetrics& operator=(const QueueMetrics&) = delete;
  virtual ~QueueMetrics() = default;

  /// A key that was not waiting already was added.
  virtual void key_added(std::size_t /*depth*/) {}
  /// A key was handed to a worker, so long after it was added.
  virtual void key_taken(std::size_t /*depth*/, runtime::Duration /*waited*/) {}
  /// A worker was done with a key, so long after it took it.
  virtual void key_done(runtime::Duration /*worked*/) {}
  /// A key was added with a delay, which is how workers try again.
  virtual void key_retried() {}
};

}  // namespace watchlab::workqueue
