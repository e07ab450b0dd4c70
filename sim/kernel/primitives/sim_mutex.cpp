#include "sim/kernel/primitives/sim_mutex.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "core/runtime/ensure.hpp"
#include "sim/kernel/fiber.hpp"
#include "sim/kernel/path_text.hpp"

namespace watchlab::sim {

inline void SimMutex::let_go(runtime::Location here) {
  if (!locked_) [[unlikely]] {
    refuse_unlock(here);
  }
  runtime::ensure(owner_ != nullptr && owner_->locks_held > 0,
                  "a mutex is locked that no task holds");
  --owner_->locks_held;
  scheduler_.release(sync_);
  if (handed_over_) [[unlikely]] {
    put_owner_back();
  }
  SimTask& me = scheduler_.current();
  unlocked_.note(me, scheduler_.steps(), here, owner_ != &me);
  locked_ = is_guarded_ = false;
  owner_ = nullptr;
  scheduler_.changed(*this);
  if (waiting_.empty()) {
    return;
  }
  if (scheduler_.now() - wanted_since_ < kStarvation || !hand_over()) [[likely]] {
    scheduler_.enable_all(waiting_);
  }
}

inline void SimMutex::take(SimTask& me, runtime::Location here) {
  if (scheduler_.stopping()) {
    return;
  }
  if (handed_over_) {
    runtime::ensure(owner_ == &me, "a mutex is taken that was handed to another task");
    handed_over_ = false;
  } else {
    runtime::ensure(!locked_ && owner_ == nullptr, "a mutex is taken that a task holds");
    waiting_.erase(me.slot());
    ++me.locks_held;
  }
  scheduler_.acquire(sync_);
  locked_ = true;
  owner_ = &me;
  owned_since_ = here;
  owned_since_step_ = scheduler_.steps();
  scheduler_.disable_all(waiting_);
}

inline void SimMutex::wait_and_take(runtime::Location here) {
  const Quiet quiet;
  if (scheduler_.running_down()) {
    return;
  }
  SimTask& me = scheduler_.current();
  scheduler_.publish(OperationKind::Lock, this, here);
  want(me);
  if (locked_) {
    scheduler_.disable(me);
  }
  scheduler_.decide();
  take(me, here);
}

void SimMutex::lock(runtime::Location here) { wait_and_take(here); }

void SimMutex::lock_guard(runtime::Location here) {
  wait_and_take(here);
  is_guarded_ = true;
}

bool SimMutex::try_lock(runtime::Location here) {
  const Quiet quiet;
  if (scheduler_.running_down()) {
    return true;
  }
  if (scheduler_.passes_over(OperationKind::TryLock, this, here)) {
    return false;
  }
  scheduler_.step(OperationKind::TryLock, this, here);
  if (locked_) {
    scheduler_.looked(OperationKind::TryLock, this, here);
    return false;
  }
  take(scheduler_.current(), here);
  return true;
}

void SimMutex::unlock(runtime::Location here) {
  const Quiet quiet;
  if (!scheduler_.step_if_running(OperationKind::Unlock, this, here)) {
    return;
  }
  let_go(here);
}

void SimMutex::unlock_guard(runtime::Location locked) noexcept {
  const Quiet quiet;
  if (!scheduler_.step_if_running(OperationKind::Unlock, this, locked)) {
    return;
  }
  if (locked_) [[likely]] {
    let_go(locked);
  } else {
    report_unlocked_guard(locked);
  }
}

void SimMutex::release(runtime::Location here) {
  if (!scheduler_.stopping()) {
    let_go(here);
  }
}

void SimMutex::refuse_unlock(runtime::Location here) const {
  throw runtime::Panic(fmt::format("unlock of {}, which is not locked, at {}{}", describe(),
                                   place_text(here), not_held_because()));
}

void SimMutex::report_unlocked_guard(runtime::Location locked) {
  report_guard(scheduler_, *this, locked, unlocked_);
}

/// It is unlocked in the name of an owner that has yet to continue: the owner waits again.
void SimMutex::put_owner_back() {
  waiting_.insert(owner_->slot());
  handed_over_ = false;
}

void SimMutex::want(SimTask& task) {
  task.wants_since = scheduler_.now();
  if (waiting_.empty()) {
    wanted_since_ = task.wants_since;
  }
  waiting_.insert(task.slot());
}

/// Those who came first, if they have waited for so long that they starve; in an order that does
/// not depend on who came first at one moment.
std::vector<SimTask*> SimMutex::starving() const {
  std::vector<SimTask*> longest;
  waiting_.visit_others(Actor::kNoSlot, [&](std::uint32_t slot) {
    SimTask& task = scheduler_.task_at(slot);
    if (scheduler_.now() - task.wants_since < kStarvation) {
      return;
    }
    if (!longest.empty() && task.wants_since < longest.front()->wants_since) {
      longest.clear();
    }
    if (longest.empty() || task.wants_since == longest.front()->wants_since) {
      longest.push_back(&task);
    }
  });
  std::sort(longest.begin(), longest.end(),
            [](const SimTask* a, const SimTask* b) { return a->digest() < b->digest(); });
  return longest;
}

bool SimMutex::hand_over() {
  const std::vector<SimTask*> tasks = starving();
  const std::uint32_t chosen = tasks.empty() ? 0 : scheduler_.choose_handover(tasks.size());
  if (chosen == 0) {
    return false;
  }
  SimTask& next = *tasks[chosen - 1];
  waiting_.erase(next.slot());
  locked_ = handed_over_ = true;
  owner_ = &next;
  ++next.locks_held;
  scheduler_.enable(next);
  return true;
}

void SimMutex::await(SimTask& task) {
  want(task);
  if (locked_) {
    scheduler_.disable(task);
  } else {
    scheduler_.enable(task);
  }
}

/// The waits of conditions are handed a guard.
void SimMutex::relock(SimTask& me, runtime::Location here) {
  take(me, here);
  is_guarded_ = true;
}

void SimMutex::retire() noexcept {
  const Quiet quiet;
  std::unique_ptr<SimObject> self(this);
  if (locked_ && !scheduler_.stopping() && !scheduler_.unwinding()) {
    notify_destroyed();
  }
  if (!waiting_.empty() || scheduler_.root_ended()) {
    scheduler_.retire(std::move(self));
  }
}

void SimMutex::notify_destroyed() {
  scheduler_.fail("violation", fmt::format("{} is destroyed while it is locked, {}, by task {}",
                                           describe(), blocked_because(scheduler_.current()),
                                           scheduler_.current().identity().readable_path()));
}

std::string_view SimMutex::kind_text() const { return is_once_ ? "once" : SimObject::kind_text(); }

std::vector<const SimTask*> SimMutex::releasers(const SimTask&) const {
  return owner_ != nullptr ? std::vector<const SimTask*>{owner_} : std::vector<const SimTask*>{};
}

std::string SimMutex::blocked_because(const SimTask& task) const {
  if (owner_ == nullptr) {
    return "";
  }
  if (is_once_) {
    return fmt::format("whose body {} runs since step {} ({})", owner_->identity().readable_path(),
                       owned_since_step_, place_text(owned_since_));
  }
  const Holder holder{owner_, owned_since_step_, owned_since_};
  return describe_holders({&holder, 1}, "", task);
}

std::string SimMutex::not_held_because() const {
  const Holder holder{owner_, owned_since_step_, owned_since_};
  return describe_hold(scheduler_, {&holder, owner_ != nullptr ? 1U : 0U}, unlocked_);
}

}  // namespace watchlab::sim
