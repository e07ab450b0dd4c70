#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "core/api/result.hpp"
#include "core/runtime/mutex.hpp"

namespace watchlab::cache::synctrack {

/// A value that is computed on demand, and again after somebody has reported a change. Any task may
/// call any function. Mirrors client-go tools/cache/synctrack/lazy.go, Lazy.
///
/// Invariants: callers that ask for the same state at the same time compute it once. A caller that
/// asks after `notify` has returned never gets a value whose computation started before it. A
/// failed computation is reported to its caller, and the next caller tries again.
template <typename T>
class Lazy {
 public:
  Lazy(runtime::Runtime& runtime, std::function<api::Result<T>()> evaluate)
      : runtime_(runtime),
        evaluate_(std::move(evaluate)),
        mutex_(runtime, "lazy"),
        cell_(fresh()) {}

  /// Invalidates the computed value.
  void notify() {
    auto cell = fresh();
    const runtime::Lock lock(mutex_);
    cell_ = std::move(cell);
  }
  /// May compute the value, and then waits for it.
  [[nodiscard]] api::Result<T> get() {
    const std::shared_ptr<Cell> cell = current();
    const runtime::Lock lock(cell->mutex);
    if (cell->value) {
      return *cell->value;
    }
    api::Result<T> computed = evaluate_();
    if (computed) {
      cell->value = *computed;
    }
    return computed;
  }

 private:
  struct Cell {
    explicit Cell(runtime::Runtime& runtime) : mutex(runtime, "lazy_cell") {}
    runtime::Mutex mutex;
    std::optional<T> value;  ///< guarded by mutex
  };

  [[nodiscard]] std::shared_ptr<Cell> fresh() { return std::make_shared<Cell>(runtime_); }
  [[nodiscard]] std::shared_ptr<Cell> current() {
    const runtime::Lock lock(mutex_);
    return cell_;
  }

  runtime::Runtime& runtime_;
  std::function<api::Result<T>()> evaluate_;
  runtime::Mutex mutex_;
  std::shared_ptr<Cell> cell_;  ///< guarded by mutex_
};

/// Like `SingleFileTracker`, but things with different keys may be handled concurrently. Starting a
/// key twice and finishing it once leaves nothing. Any task may call any function. Mirrors
/// client-go 0.32 tools/cache/synctrack/synctrack.go, AsyncTracker.
template <typename Key>
class AsyncTracker {
 public:
  AsyncTracker(runtime::Runtime& runtime, std::function<bool()> upstream_has_synced)
      : upstream_has_synced_(std::move(upstream_has_synced)), mutex_(runtime, "synctrack") {}

  void start(const Key& key) {
    const runtime::Lock lock(mutex_);
    waiting_.insert(key);
  }
  /// Does nothing if the key was not started.
  void finished(const Key& key) {
    const runtime::Lock lock(mutex_);
    waiting_.erase(key);
  }
  /// Asks upstream without holding its own lock.
  [[nodiscard]] bool has_synced() const {
    if (!upstream_has_synced_()) {
      return false;
    }
    const runtime::Lock lock(mutex_);
    return waiting_.empty();
  }

 private:
  std::function<bool()> upstream_has_synced_;
  mutable runtime::Mutex mutex_;
  std::set<Key> waiting_;
};

}  // namespace watchlab::cache::synctrack
