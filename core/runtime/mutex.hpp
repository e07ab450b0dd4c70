#pragma once

#include <string_view>

#include "core/runtime/recover.hpp"
#include "core/runtime/runtime.hpp"

namespace watchlab::runtime {

/// Mutual exclusion: not recursive, and without an order among waiters. Mirrors Go sync.Mutex: a
/// task other than the one that locked it may unlock it. Unlocking an unlocked mutex panics.
class Mutex {
 public:
  explicit Mutex(Runtime& runtime, std::string_view name = "mutex",
                 Location here = Location::current())
      : backend_(runtime.make_mutex(name, here)) {}

  /// Blocks until the mutex is free, and takes it.
  void lock(Location here = Location::current()) { backend_->lock(here); }
  /// Returns false at once if a task holds it.
  [[nodiscard]] bool try_lock(Location here = Location::current()) {
    return backend_->try_lock(here);
  }
  void unlock(Location here = Location::current()) { backend_->unlock(here); }

  /// For condition variables and guards.
  [[nodiscard]] MutexBackend& backend() { return *backend_; }

 private:
  Owned<MutexBackend> backend_;
};

/// Holds a mutex for a scope. Our own guard, because it passes the caller's source line on to
/// reports. It can be released early and taken again.
class [[nodiscard]] Lock {
 public:
  explicit Lock(Mutex& mutex, Location here = Location::current()) : mutex_(mutex), here_(here) {
    mutex_.backend().lock_guard(here_);
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  ~Lock() {
    if (held_ && !guards_are_void) [[likely]] {
      mutex_.backend().unlock_guard(here_);
    }
  }

  void unlock(Location here = Location::current()) {
    held_ = false;
    mutex_.unlock(here);
  }
  void lock(Location here = Location::current()) {
    mutex_.backend().lock_guard(here);
    held_ = true;
  }
  [[nodiscard]] bool held() const { return held_; }
  [[nodiscard]] Mutex& mutex() { return mutex_; }
  /// For condition variables.
  [[nodiscard]] HeldLock as_held() { return mutex_.backend(); }

 private:
  Mutex& mutex_;
  Location here_;
  bool held_ = true;
};

}  // namespace watchlab::runtime
