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

/// A queue's metrics: one object per queue instead of seven metrics. Every function does nothing
/// unless overridden. The task that uses the queue calls them, mostly under its lock, so they must
/// not block or call the queue. The depth is the number of keys to be processed, including those
/// that were added again while they are being processed. Mirrors client-go
/// util/workqueue/metrics.go, MetricsProvider. Differs from client-go: the gauges of unfinished
/// work are missing, because they need their own task.
class QueueMetrics : public runtime::Interface {
 public:
  /// A key was added that was not already waiting.
  virtual void key_added(std::size_t /*depth*/) {}
  /// A key was handed to a worker, this long after it was added.
  virtual void key_taken(std::size_t /*depth*/, runtime::Duration /*waited*/) {}
  /// A worker is done with a key, this long after it took it.
  virtual void key_done(runtime::Duration /*worked*/) {}
  /// A key was added with a delay, which is how workers retry.
  virtual void key_retried() {}
};

/// Options of all queues in this folder. Mirrors client-go util/workqueue, TypedQueueConfig.
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

  /// Marks the key for processing. Does nothing once the queue shuts down.
  void add(const std::string& key);
  /// The number of keys that wait for a worker. Keys that a worker has do not count, even if they
  /// were added again.
  [[nodiscard]] std::size_t size() const;
  /// Waits for a key, for which the caller must then call `done`. Returns nothing once the queue
  /// shuts down and no key waits: the worker should end.
  [[nodiscard]] std::optional<std::string> get();
  /// Call it when you have processed the key. If the key was added meanwhile, it waits again, even
  /// when the queue is shutting down. Differs from client-go: does nothing for a key that no worker
  /// has, where the original makes a waiting key wait twice.
  void done(const std::string& key);

  /// Refuses new keys. Workers get what is already waiting and then nothing. Does not wait, and
  /// ends a drain in progress.
  virtual void shut_down();
  /// The same, then waits until no worker has a key. Does not wait for keys that still wait for a
  /// worker. Differs from client-go: drains have a condition of their own and all of them are
  /// woken; the original signals one waiter, so the second of two drains can wait forever.
  virtual void shut_down_with_drain();
  [[nodiscard]] bool shutting_down() const;

 protected:
  [[nodiscard]] runtime::Runtime& runtime() const { return runtime_; }
  [[nodiscard]] QueueMetrics& metrics() const { return *metrics_; }

 private:
  /// Every waiting key is dirty, waits once, and is not with a worker. Every dirty key that does
  /// not wait is with a worker.
  struct State {
    std::deque<std::string> waiting;
    std::unordered_set<std::string> dirty;       ///< to be processed
    std::unordered_set<std::string> processing;  ///< with a worker
    bool shutting_down = false;
    bool draining = false;
    std::map<std::string, runtime::TimePoint> added_at;  ///< of the dirty keys
    std::map<std::string, runtime::TimePoint> taken_at;  ///< of the keys in processing
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
