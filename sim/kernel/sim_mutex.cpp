#include "sim/kernel/sim_mutex.hpp"

#include <fmt/format.h>

#include <memory>

#include "core/runtime/ensure.hpp"
#include "sim/kernel/place_text.hpp"
#include "sim/kernel/quiet.hpp"

namespace watchlab::sim {

void SimMutex::lock(runtime::Location here) {
  const Quiet quiet;
  if (scheduler_.running_down()) {
    return;
  }
  SimTask& me = scheduler_.current();
  scheduler_.publish(OperationKind::Lock, this, here);
  waiting_.insert(me.slot());
  if (locked_) {
    scheduler_.disable(me);
  }
  scheduler_.decide();
  take(me, here);
}

bool SimMutex::try_lock(runtime::Location here) {
  const Quiet quiet;
  if (scheduler_.running_down()) {
    return true;
  }
  scheduler_.step(OperationKind::TryLock, this, here);
  if (locked_) {
    return false;
  }
  take(scheduler_.current(), here);
  return true;
}

void SimMutex::unlock(runtime::Location here) {
  const Quiet quiet;
  if (scheduler_.stopping()) {
    return;
  }
  scheduler_.step(OperationKind::Unlock, this, here);
  release(here);
}

void SimMutex::release(runtime::Location here) {
  if (scheduler_.stopping()) {
    return;
  }
  if (!locked_) {
    throw runtime::Panic(
        fmt::format("unlock of {}, which is not locked, at {}", describe(), place_text(here)));
  }
  runtime::ensure(owner_ != nullptr && owner_->locks_held > 0,
                  "a mutex is locked that no task holds");
  --owner_->locks_held;
  scheduler_.release(sync_);
  locked_ = false;
  owner_ = nullptr;
  scheduler_.enable_all(waiting_);
}

void SimMutex::await(SimTask& task) {
  waiting_.insert(task.slot());
  if (locked_) {
    scheduler_.disable(task);
  } else {
    scheduler_.enable(task);
  }
}

void SimMutex::relock(SimTask& me, runtime::Location here) { take(me, here); }

void SimMutex::take(SimTask& me, runtime::Location here) {
  if (scheduler_.stopping()) {
    return;
  }
  runtime::ensure(!locked_ && owner_ == nullptr, "a mutex is taken that a task holds");
  waiting_.erase(me.slot());
  ++me.locks_held;
  scheduler_.acquire(sync_);
  locked_ = true;
  owner_ = &me;
  owned_since_ = here;
  owned_since_step_ = scheduler_.steps();
  scheduler_.disable_all(waiting_);
}

void SimMutex::retire() noexcept {
  const Quiet quiet;
  std::unique_ptr<SimObject> self(this);
  if (!waiting_.empty() || scheduler_.root_ended()) {
    scheduler_.bury(std::move(self));
  }
}

std::vector<const SimTask*> SimMutex::releasers(const SimTask&) const {
  return owner_ != nullptr ? std::vector<const SimTask*>{owner_} : std::vector<const SimTask*>{};
}

std::string SimMutex::blocked_because(const SimTask&) const {
  if (owner_ == nullptr) {
    return "";
  }
  const bool has_ended = owner_->state == SimTask::State::Ended;
  return fmt::format("which {} holds since step {} ({}){}", owner_->identity().path(),
                     owned_since_step_, place_text(owned_since_),
                     has_ended ? ", and that task has ended without unlocking it" : "");
}

}  // namespace watchlab::sim
