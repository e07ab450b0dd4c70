#pragma once

#include <concepts>
#include <string_view>

#include "core/runtime/mutex.hpp"

namespace watchlab::runtime {

/// A guard from this folder: `Lock`, `WriteLock`, `ReadLock`.
template <typename T>
concept Guard = requires(T& guard) {
  { guard.as_held() } -> std::same_as<HeldLock>;
};

/// A condition to wait for under a `Mutex`, or under a `SharedMutex` that is held for writing or
/// reading. Mirrors Go sync.Cond, whose L may be an RWMutex or its RLocker, with two differences:
/// each wait names the lock, and a wait can have a deadline. Which waiter `notify_one` wakes is a
/// choice. There are no spurious wake-ups, but wait in a loop anyway, because another task can
/// change the condition between the wake-up and the relock.
class CondVar {
 public:
  explicit CondVar(Runtime& runtime, std::string_view name = "cond_var",
                   Location here = Location::current())
      : backend_(runtime.make_cond_var(name, here)) {}

  /// The lock must be held.
  void wait(Guard auto& lock, Location here = Location::current()) {
    backend_->wait(lock.as_held(), std::nullopt, here);
  }
  /// Returns false if the deadline passed before a notification came. The lock is held in both
  /// cases.
  [[nodiscard]] bool wait_until(Guard auto& lock, TimePoint deadline,
                                Location here = Location::current()) {
    return backend_->wait(lock.as_held(), deadline, here);
  }
  void notify_one(Location here = Location::current()) { backend_->notify_one(here); }
  void notify_all(Location here = Location::current()) { backend_->notify_all(here); }

 private:
  Owned<CondVarBackend> backend_;
};

}  // namespace watchlab::runtime
