#pragma once

#include <cstddef>

#include "core/runtime/backend.hpp"
#include "sim/kernel/primitives/sim_mutex.hpp"
#include "sim/kernel/primitives/sim_shared_mutex.hpp"

namespace watchlab::sim {

/// A lock of a simulated world as a wait for a condition sees it. To give it up belongs to the step
/// that begins the wait; to take it again are the steps that any task does who wants it.
class SimHeldLock {
 public:
  explicit SimHeldLock(const runtime::HeldLock& held)
      : mutex_(static_cast<SimMutex*>(held.mutex())),
        shared_(static_cast<SimSharedMutex*>(held.shared())),
        reads_(held.side() == runtime::HeldLock::Side::Read) {}

  [[nodiscard]] SimObject& object() const {
    return mutex_ != nullptr ? static_cast<SimObject&>(*mutex_) : *shared_;
  }
  [[nodiscard]] bool reads() const { return reads_; }
  /// The operation with which a woken task wants it.
  [[nodiscard]] OperationKind retake() const {
    if (mutex_ != nullptr) {
      return OperationKind::Relock;
    }
    return reads_ ? OperationKind::ReadLock : OperationKind::WriteLock;
  }
  /// The step at which the task took it.
  [[nodiscard]] std::size_t since_step(const SimTask& me) const {
    return mutex_ != nullptr ? mutex_->owned_since_step() : shared_->held_since_step(me, reads_);
  }
  void give_up(runtime::Location here) const {
    if (mutex_ != nullptr) {
      mutex_->release(here);
    } else if (reads_) {
      shared_->leave_as_reader(here);
    } else {
      shared_->leave_as_writer(here);
    }
  }
  /// Announces that the task, whose pending operation is `retake`, wants it.
  void await(SimTask& task) const {
    if (mutex_ != nullptr) {
      mutex_->await(task);
    } else {
      shared_->await(task, reads_);
    }
  }
  /// Behind the decision for `retake`.
  void take_again(SimTask& me, runtime::Location here) const {
    if (mutex_ != nullptr) {
      mutex_->relock(me, here);
    } else if (reads_) {
      shared_->enter_as_reader(me, here);
    } else {
      shared_->enter_as_writer(me, here);
    }
  }

 private:
  SimMutex* mutex_;
  SimSharedMutex* shared_;
  bool reads_;
};

}  // namespace watchlab::sim
