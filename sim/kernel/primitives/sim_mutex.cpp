#include "sim/kernel/primitives/sim_mutex.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "core/runtime/ensure.hpp"
#include "sim/kernel/fiber.hpp"
#include "sim/kernel/path_text.hpp"

namespace watchlab::sim {

void SimMutex::lock(runtime::Location here) {
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
  if (!scheduler_.step_if_running(OperationKind::Unlock, this, here)) {
    return;
  }
  release(here);
}

void SimMutex::unlock_guard(runtime::Location locked) noexcept {
  const Quiet quiet;
  if (!scheduler_.step_if_running(OperationKind::Unlock, this, locked)) {
    return;
  }
  if (locked_) {
    release(locked);
  } else {
    foreign_unlock_.report_guard(scheduler_, *this, locked);
  }
}

void SimMutex::release(runtime::Location here) {
  if (scheduler_.stopping()) {
    return;
  }
  if (!locked_) {
    throw runtime::Panic(fmt::format("unlock of {}, which is not locked, at {}{}", describe(),
                                     place_text(here), foreign_unlock_.describe()));
  }
  runtime::ensure(owner_ != nullptr && owner_->locks_held > 0,
                  "a mutex is locked that no task holds");
  --owner_->locks_held;
  if (owner_ != &scheduler_.current()) [[unlikely]] {
    foreign_unlock_.note(scheduler_, here);
  }
  scheduler_.release(sync_);
  if (handed_over_) {  // unlocked in the name of an owner that has yet to continue: it waits again
    waiting_.insert(owner_->slot());
    handed_over_ = false;
  }
  locked_ = false;
  owner_ = nullptr;
  if (waiting_.empty()) {
    return;
  }
  if (scheduler_.now() - wanted_since_ < kStarvation || !hand_over()) [[likely]] {
    scheduler_.enable_all(waiting_);
  }
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

void SimMutex::relock(SimTask& me, runtime::Location here) { take(me, here); }

void SimMutex::take(SimTask& me, runtime::Location here) {
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
                                           scheduler_.current().identity().path()));
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

bool SimCondVar::wait(runtime::MutexBackend& mutex, std::optional<runtime::TimePoint> deadline,
                      runtime::Location here) {
  const Quiet quiet;
  if (scheduler_.running_down()) {
    scheduler_.end_wait();
    return true;
  }
  auto& held = static_cast<SimMutex&>(mutex);
  SimTask& me = scheduler_.current();
  me.releases = &held;
  const std::size_t looked_since = held.owned_since_step();
  scheduler_.step(OperationKind::CondWait, this, here);
  held.release(here);
  waiters_.push_back({&me, &held, scheduler_.steps(), looked_since});
  me.flag = false;
  if (deadline) {
    scheduler_.arm(me.deadline, std::max(*deadline, scheduler_.now()));
  }
  scheduler_.publish(OperationKind::CondWait, this, here);
  scheduler_.disable(me);
  scheduler_.decide();
  if (!me.flag && !scheduler_.stopping()) {
    // The deadline passed and no task notified in between: leave the queue, then get the mutex.
    const bool left = give_up(me);
    runtime::ensure(left, "a waiter that timed out is still in the queue");
    scheduler_.publish(OperationKind::Relock, &held, here);
    held.await(me);
    scheduler_.decide();
  }
  if (scheduler_.stopping()) {
    scheduler_.disarm(me.deadline);
    scheduler_.end_wait();
    return true;
  }
  runtime::ensure(!me.deadline.armed(), "a wait is over and its deadline is still ahead");
  scheduler_.acquire(me.handed);
  held.relock(me, here);
  return me.flag;
}

bool SimCondVar::give_up(SimTask& me) {
  const auto found = std::find_if(waiters_.begin(), waiters_.end(),
                                  [&](const Waiter& waiter) { return waiter.task == &me; });
  if (found == waiters_.end()) {
    return false;
  }
  waiters_.erase(found);
  return true;
}

void SimCondVar::wake(std::size_t index) {
  const Waiter waiter = waiters_[index];
  waiters_.erase(waiters_.begin() + static_cast<std::ptrdiff_t>(index));
  runtime::ensure(!waiter.task->flag, "a waiter is notified twice");
  waiter.task->flag = true;
  scheduler_.release(waiter.task->handed);
  scheduler_.disarm(waiter.task->deadline);
  scheduler_.become(*waiter.task, OperationKind::Relock, waiter.mutex);
  waiter.mutex->await(*waiter.task);
}

std::size_t SimCondVar::choose_waiter() {
  if (waiters_.size() == 1) {
    return 0;
  }
  std::vector<const Actor*>& tasks = scheduler_.room_for_candidates();
  for (const Waiter& waiter : waiters_) {
    tasks.push_back(waiter.task);
  }
  return scheduler_.choose(ChoiceKind::Waiter, tasks.size(), "which waiter wakes", tasks);
}

void SimCondVar::notify_one(runtime::Location here) {
  const Quiet quiet;
  if (!scheduler_.step_if_running(OperationKind::NotifyOne, this, here)) {
    return;
  }
  if (waiters_.empty()) {
    remember_empty(here);
  } else {
    wake(choose_waiter());
  }
}

void SimCondVar::notify_all(runtime::Location here) {
  const Quiet quiet;
  if (!scheduler_.step_if_running(OperationKind::NotifyAll, this, here)) {
    return;
  }
  if (waiters_.empty()) {
    remember_empty(here);
  }
  while (!waiters_.empty()) {
    wake(0);
  }
}

void SimCondVar::remember_empty(runtime::Location here) {
  SimTask& me = scheduler_.current();
  me.pin();
  last_empty_ = EmptyNotify{.task = &me, .step = scheduler_.steps(), .here = here};
}

void SimCondVar::retire() noexcept {
  const Quiet quiet;
  std::unique_ptr<SimObject> self(this);
  if (!waiters_.empty() || scheduler_.root_ended()) {
    scheduler_.retire(std::move(self));
  }
}

std::string SimCondVar::blocked_because(const SimTask& task) const {
  const auto waiter = std::find_if(waiters_.begin(), waiters_.end(),
                                   [&](const Waiter& entry) { return entry.task == &task; });
  if (waiter == waiters_.end() || !last_empty_) {
    return "and no task is left that would notify it";
  }
  if (last_empty_->step < waiter->since_step) {
    // A task that took the lock before has looked before. Otherwise it depends on where the task
    // looked, which cannot be seen here: it may rightly wait for a notification that never comes.
    const bool is_certain = waiter->looked_since < last_empty_->step;
    return fmt::format(
        "{}a lost wake-up: {} notified at step {} ({}), when no task waited; this wait began at "
        "step {}",
        is_certain ? "" : "perhaps ", last_empty_->task->identity().path(), last_empty_->step,
        place_text(last_empty_->here), waiter->since_step);
  }
  return "and no task is left that would notify it";
}

}  // namespace watchlab::sim
