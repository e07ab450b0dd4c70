#pragma once

#include <cstddef>

#include "core/runtime/backend.hpp"
#include "sim/kernel/primitives/sim_mutex.hpp"
#include "sim/kernel/primitives/sim_shared_mutex.hpp"

namespace watchlab::sim {

/// A lock of a simulated world, as seen by a wait for a condition. Releasing it is part of the step
/// that starts the wait; reacquiring it takes the same steps as for any other task.
class SimHeldLock {
 public:
  explicit SimHeldLock(const runtime::HeldLock& held)
      : is_mutex_(held.mutex() != nullptr), reads_(held.side() == runtime::HeldLock::Side::Read) {
    if (is_mutex_) {
      object_ = static_cast<SimMutex*>(held.mutex());
    } else {
      object_ = static_cast<SimSharedMutex*>(held.shared());
    }
  }

  [[nodiscard]] SimObject& object() const { return *object_; }
  [[nodiscard]] bool reads() const { return reads_; }
  /// The operation with which a woken task asks for it.
  [[nodiscard]] OperationKind retake() const {
    if (is_mutex_) {
      return OperationKind::Relock;
    }
    return reads_ ? OperationKind::ReadLock : OperationKind::WriteLock;
  }
  /// The step at which the task took it.
  [[nodiscard]] std::size_t since_step(const SimTask& me) const {
    return is_mutex_ ? mutex().owned_since_step() : shared().held_since_step(me, reads_);
  }
  void give_up(runtime::Location here) const {
    if (is_mutex_) {
      mutex().release(here);
    } else if (reads_) {
      shared().leave_as_reader(here);
    } else {
      shared().leave_as_writer(here);
    }
  }
  /// Announces that the task, whose pending operation is `retake`, asks for it.
  void await(SimTask& task) const {
    if (is_mutex_) {
      mutex().await(task);
    } else {
      shared().await(task, reads_);
    }
  }
  /// Call it after the decision for `retake`.
  void take_again(SimTask& me, runtime::Location here) const {
    if (is_mutex_) {
      mutex().relock(me, here);
    } else if (reads_) {
      shared().enter_as_reader(me, here);
    } else {
      shared().enter_as_writer(me, here);
    }
  }

 private:
  [[nodiscard]] SimMutex& mutex() const { return static_cast<SimMutex&>(*object_); }
  [[nodiscard]] SimSharedMutex& shared() const { return static_cast<SimSharedMutex&>(*object_); }

  SimObject* object_ = nullptr;
  bool is_mutex_;
  bool reads_;
};

}  // namespace watchlab::sim
