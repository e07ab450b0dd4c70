#include "sim/kernel/primitives/sim_cond_var.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "core/runtime/ensure.hpp"
#include "sim/kernel/fiber.hpp"
#include "sim/kernel/path_text.hpp"

namespace watchlab::sim {

bool SimCondVar::wait(const runtime::HeldLock& lock,
                      const std::optional<runtime::TimePoint>& deadline, runtime::Location here) {
  const Quiet quiet;
  if (scheduler_.running_down()) {
    scheduler_.end_wait();
    return true;
  }
  const SimHeldLock held(lock);
  SimTask& me = scheduler_.current();
  me.releases = &held.object();
  me.releases_as_reader = held.reads();
  const std::size_t looked_since = held.since_step(me);
  scheduler_.step(OperationKind::CondWait, this, here);
  held.give_up(here);
  waiters_.emplace_back(&me, held, scheduler_.steps(), looked_since);
  me.flag = false;
  if (deadline) {
    scheduler_.arm(me.deadline, std::max(*deadline, scheduler_.now()));
  }
  scheduler_.publish(OperationKind::CondWait, this, here);
  scheduler_.disable(me);
  scheduler_.decide();
  if (!me.flag && !scheduler_.stopping()) {
    // The deadline passed and no task notified in between: leave the queue, then get the lock.
    const bool left = give_up(me);
    runtime::ensure(left, "a waiter that timed out is still in the queue");
    scheduler_.publish(held.retake(), &held.object(), here);
    held.await(me);
    scheduler_.decide();
  }
  if (scheduler_.stopping()) {
    scheduler_.disarm(me.deadline);
    scheduler_.end_wait();
    return true;
  }
  runtime::ensure(!me.deadline.armed(), "a wait is over and its deadline is still ahead");
  const bool notified = me.flag;
  scheduler_.acquire(me.handed);
  held.take_again(me, here);
  return notified;
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
  scheduler_.become(*waiter.task, waiter.held.retake(), &waiter.held.object());
  waiter.held.await(*waiter.task);
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
  // Without a branch, which a random schedule would make unpredictable.
  last_empty_ ^= static_cast<std::size_t>(empty_[last_empty_].task != &me);
  empty_[last_empty_] = EmptyNotify{.task = &me, .step = scheduler_.steps(), .here = here};
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
  if (waiter == waiters_.end()) {
    return "and no task is left that would notify it";
  }
  // No task loses a wake-up of its own.
  const EmptyNotify& last = empty_[last_empty_];
  const EmptyNotify& empty = last.task == &task ? empty_[1 - last_empty_] : last;
  if (empty.task != nullptr && empty.step < waiter->since_step) {
    // A task that took the lock before has looked before. Otherwise it depends on where the task
    // looked, which cannot be seen here: it may rightly wait for a notification that never comes.
    const bool is_certain = waiter->looked_since < empty.step;
    return fmt::format(
        "{}a lost wake-up: {} notified at step {} ({}), when no task waited; this wait began at "
        "step {}",
        is_certain ? "" : "perhaps ", empty.task->identity().readable_path(), empty.step,
        place_text(empty.here), waiter->since_step);
  }
  return "and no task is left that would notify it";
}

}  // namespace watchlab::sim
