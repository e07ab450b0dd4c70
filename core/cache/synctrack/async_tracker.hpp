#pragma once

#include <functional>
#include <set>
#include <utility>

#include "core/runtime/mutex.hpp"

namespace watchlab::cache::synctrack {

/// As `SingleFileTracker`, where things with different keys may be handled at the same time.
/// Starting a key twice and finishing it once leaves nothing. Any task may call any function.
/// Mirrors client-go 0.32 tools/cache/synctrack/synctrack.go, AsyncTracker.
template <typename Key>
class AsyncTracker {
 public:
  AsyncTracker(runtime::Runtime& runtime, std::function<bool()> upstream_has_synced)
      : upstream_has_synced_(std::move(upstream_has_synced)), mutex_(runtime, "synctrack") {}

  void start(const Key& key) {
    const runtime::Lock lock(mutex_);
    waiting_.insert(key);
  }
  /// Does nothing when the key was not started.
  void finished(const Key& key) {
    const runtime::Lock lock(mutex_);
    waiting_.erase(key);
  }
  /// Asks upstream without holding a lock of its own.
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
