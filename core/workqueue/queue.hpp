#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>

#include "core/runtime/cond_var.hpp"
#include "core/runtime/interface.hpp"
#include "core/runtime/shared.hpp"
#include "core/runtime/time.hpp"

namespace watchlab::workqueue {

/// What a queue counts. Every function does nothing unless overridden; they are called by the task
/// that uses the queue, most of them under its lock, and must not block or call the queue. The
/// depth is the number of keys that are to be processed, those included that were added again while
/// they are being processed. Mirrors client-go util/workqueue/metrics.go, MetricsProvider, as one
/// object a queue in place of seven metrics. Differs from client-go: the gauges of work that is not
/// done yet are left out, because they need a task of their own.
class QueueMetrics : public runtime::Interface {
 public:
  /// A key that was not waiting already was added.
  virtual void key_added(std::size_t /*depth*/) {}
  /// A key was handed to a worker, so long after it was added.
  virtual void key_taken(std::size_t /*depth*/, runtime::Duration /*waited*/) {}
  /// A worker was done with a key, so long after it took it.
  virtual void key_done(runtime::Duration /*worked*/) {}
  /// A key was added with a delay, which is how workers try again.
  virtual void key_retried() {}
};

/// Of all queues of this folder. Mirrors client-go util/workqueue, TypedQueueConfig.
struct QueueOptions {
  std::string name = "workqueue";  ///< in reports
  std::shared_ptr<QueueMetrics> metrics;
};

/// Keys that wait for workers, first come, first served. A key waits at most once, however often
/// it is added, and no two workers ever have the same key: one that is added while a worker has it
/// waits until that worker is done, and then comes again once. So a worker that reads the latest
/// state of a key when it gets it never misses the last change.
///
///     while (const std::optional<std::string> key = queue.get()) {
///       reconcile(*key);
///       queue.done(*key);
///     }
///
/// Any task may call any function. Destroy it when no task uses it any more.
/// Mirrors client-go util/workqueue/queue.go, Typed, for keys that are strings.
class Queue : public runtime::Interface {
 public:
  explicit Queue(runtime::Runtime& runtime, QueueOptions options = {});

  /// Marks the key as in need of processing. Does nothing once the queue shuts down.
  void add(const std::string& key);
  /// Keys that wait for a worker. Those that a worker has do not count, added again or not.
  [[nodiscard]] std::size_t size() const;
  /// Waits for a key, which the caller must call `done` for. Nothing once the queue shuts down and
  /// no key waits: the worker shall end.
  [[nodiscard]] std::optional<std::string> get();
  /// The caller has processed the key it got. If the key was added meanwhile it waits again, also
  /// when the queue is shutting down.
  /// Differs from client-go: does nothing for a key that no worker has; the original makes a
  /// waiting key wait twice.
  void done(const std::string& key);

  /// Refuses new keys. Workers get what waits already and then nothing. Does not wait, and ends a
  /// drain that is under way.
  virtual void shut_down();
  /// The same, then waits until no worker has a key. Not for keys that still wait for a worker.
  /// Differs from client-go: drains wait on a condition of their own and all of them are woken; the
  /// original signals one of the waiters, so the second of two drains can wait indefinitely.
  virtual void shut_down_with_drain();
  [[nodiscard]] bool shutting_down() const;

 protected:
  [[nodiscard]] runtime::Runtime& runtime() const { return runtime_; }
  [[nodiscard]] QueueMetrics& metrics() const { return *metrics_; }

 private:
  /// Every waiting key is dirty, waits once, and no worker has it. Every dirty key that does not
  /// wait is one that a worker has.
  struct State {
    std::deque<std::string> waiting;
    std::unordered_set<std::string> dirty;       ///< in need of processing
    std::unordered_set<std::string> processing;  ///< workers have them
    bool shutting_down = false;
    bool draining = false;
    std::map<std::string, runtime::TimePoint> added_at;  ///< of the dirty ones
    std::map<std::string, runtime::TimePoint> taken_at;  ///< of those in processing
  };

  void check_state() const;

  runtime::Runtime& runtime_;
  const std::shared_ptr<QueueMetrics> metrics_;
  mutable runtime::Mutex mutex_;
  runtime::CondVar key_waits_or_shut_down_;
  runtime::CondVar drained_or_given_up_;
  runtime::Shared<State> state_;
};

}  // namespace watchlab::workqueue
