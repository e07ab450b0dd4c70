#pragma once

#include <string_view>

#include "core/runtime/mutex.hpp"

namespace watchlab::runtime {

/// A condition to wait for under a `Mutex`. Mirrors Go sync.Cond, with two differences: the mutex
/// is named at each wait, and a wait can have a deadline. Which waiter `notify_one` wakes is a
/// choice. No spurious wake-ups; wait in a loop all the same, because another task can change the
/// condition between the wake-up and the relock.
class CondVar {
 public:
  explicit CondVar(Runtime& runtime, std::string_view name = "cond_var",
                   Location here = Location::current())
      : backend_(runtime.make_cond_var(name, here)) {}

  /// The lock must be held.
  void wait(Lock& lock, Location here = Location::current()) {
    backend_->wait(lock.mutex().backend(), std::nullopt, here);
  }
  /// False when the deadline passed before a notification came. The lock is held either way.
  [[nodiscard]] bool wait_until(Lock& lock, TimePoint deadline,
                                Location here = Location::current()) {
    return backend_->wait(lock.mutex().backend(), deadline, here);
  }
  void notify_one(Location here = Location::current()) { backend_->notify_one(here); }
  void notify_all(Location here = Location::current()) { backend_->notify_all(here); }

 private:
  Owned<CondVarBackend> backend_;
};

}  // namespace watchlab::runtime
