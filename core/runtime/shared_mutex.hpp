#pragma once

#include <string_view>

#include "core/runtime/recover.hpp"
#include "core/runtime/runtime.hpp"

namespace watchlab::runtime {

/// Many readers or one writer. Mirrors Go sync.RWMutex, including its precedence: a reader that
/// arrives while a writer waits queues behind it, and when a writer leaves, waiting readers go
/// before the next writer. So a task that takes a read lock twice can deadlock.
class SharedMutex {
 public:
  explicit SharedMutex(Runtime& runtime, std::string_view name = "shared_mutex",
                       Location here = Location::current())
      : backend_(runtime.make_shared_mutex(name, here)) {}

  void lock(Location here = Location::current()) { backend_->lock(here); }
  void unlock(Location here = Location::current()) { backend_->unlock(here); }
  void lock_shared(Location here = Location::current()) { backend_->lock_shared(here); }
  void unlock_shared(Location here = Location::current()) { backend_->unlock_shared(here); }

  /// For guards and condition variables.
  [[nodiscard]] SharedMutexBackend& backend() { return *backend_; }

 private:
  Owned<SharedMutexBackend> backend_;
};

/// Holds a shared mutex for writing for a scope.
class [[nodiscard]] WriteLock {
 public:
  explicit WriteLock(SharedMutex& mutex, Location here = Location::current())
      : mutex_(mutex), here_(here) {
    mutex_.lock(here_);
  }
  WriteLock(const WriteLock&) = delete;
  WriteLock& operator=(const WriteLock&) = delete;
  ~WriteLock() {
    if (!guards_are_void) [[likely]] {
      mutex_.backend().unlock_guard(here_);
    }
  }

  /// For condition variables.
  [[nodiscard]] HeldLock as_held() { return {mutex_.backend(), HeldLock::Side::Write}; }

 private:
  SharedMutex& mutex_;
  Location here_;
};

/// Holds a shared mutex for reading for a scope.
class [[nodiscard]] ReadLock {
 public:
  explicit ReadLock(SharedMutex& mutex, Location here = Location::current())
      : mutex_(mutex), here_(here) {
    mutex_.lock_shared(here_);
  }
  ReadLock(const ReadLock&) = delete;
  ReadLock& operator=(const ReadLock&) = delete;
  ~ReadLock() {
    if (!guards_are_void) [[likely]] {
      mutex_.backend().unlock_shared_guard(here_);
    }
  }

  /// For condition variables.
  [[nodiscard]] HeldLock as_held() { return {mutex_.backend(), HeldLock::Side::Read}; }

 private:
  SharedMutex& mutex_;
  Location here_;
};

}  // namespace watchlab::runtime
