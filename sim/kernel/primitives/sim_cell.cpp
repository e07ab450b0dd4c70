#include "sim/kernel/primitives/sim_cell.hpp"

#include <algorithm>
#include <chrono>

#include "sim/kernel/primitives/sim_gate.hpp"

namespace watchlab::sim {
namespace {

/// How often a task may find what it knows before it waits for something new.
constexpr std::uint32_t kIdleReads = 2;
/// How long a task that spins waits when no other task can go on.
constexpr runtime::Duration kSpinPause = std::chrono::microseconds(1);

bool acquires(std::memory_order order) {
  return order != std::memory_order_relaxed && order != std::memory_order_release;
}

bool releases(std::memory_order order) {
  return order == std::memory_order_release || order == std::memory_order_acq_rel ||
         order == std::memory_order_seq_cst;
}

}  // namespace

bool SimCell::begin_access(runtime::AccessKind kind, runtime::Location here) {
  const Quiet quiet;
  if (scheduler_.running_down()) {
    return false;
  }
  SimTask& me = scheduler_.current();
  if (kind != runtime::AccessKind::Write && !scheduler_.unwinding() && spins(me)) {
    await_write(me, here);
  }
  scheduler_.step(operation_for(kind), this, here);
  return !scheduler_.stopping();
}

void SimCell::order(runtime::AccessKind kind, std::memory_order order) {
  const Quiet quiet;
  SimTask& me = scheduler_.current();
  if (kind != runtime::AccessKind::Write) {
    if (acquires(order)) {
      scheduler_.acquire(sync_);
    } else {
      scheduler_.see(sync_);
    }
  }
  if (kind == runtime::AccessKind::Read) {
    const bool again = me.spinning.cell == this && me.spinning.version == version_;
    me.spinning = {this, version_, me.operations(), again ? me.spinning.reads + 1 : 1};
    return;
  }
  const bool updates = kind == runtime::AccessKind::ReadWrite;
  if (!releases(order)) {
    scheduler_.release_fenced(sync_, updates);
  } else if (updates) {
    scheduler_.release(sync_);
  } else {
    scheduler_.release_alone(sync_);
  }
  ++version_;
  me.spinning = {};
  for (std::size_t i = waiters_.size(); i-- > 0;) {
    if (!waiters_[i].for_notification) {
      wake(i);
    }
  }
}

/// Between two reads of a loop it may have yielded, or read the clock, which is no operation.
bool SimCell::spins(SimTask& me) const {
  const Spinning& last = me.spinning;
  const bool is_next = me.operations() <= last.operations + 1;
  if (last.cell != this || last.version != version_ || !is_next) {
    if (last.cell == this) {
      me.spinning = {};
    }
    return false;
  }
  return last.reads >= kIdleReads;
}

void SimCell::await_write(SimTask& me, runtime::Location here) {
  scheduler_.arm(me.deadline, scheduler_.now() + kSpinPause);
  wait(me, false, here);
  scheduler_.disarm(me.deadline);
}

void SimCell::await_notification(runtime::Location here) {
  const Quiet quiet;
  if (scheduler_.running_down()) {
    scheduler_.end_wait();
    return;
  }
  wait(scheduler_.current(), true, here);
  if (scheduler_.stopping()) {
    scheduler_.end_wait();
  }
}

void SimCell::wait(SimTask& me, bool for_notification, runtime::Location here) {
  scheduler_.publish(OperationKind::GatePass, this, here, SimGate::kOnce);
  waiters_.push_back({&me, for_notification});
  scheduler_.disable(me);
  scheduler_.decide();
  std::erase_if(waiters_, [&](const Waiter& waiter) { return waiter.task == &me; });
}

void SimCell::wake(std::size_t index) {
  SimTask& task = *waiters_[index].task;
  waiters_.erase(waiters_.begin() + static_cast<std::ptrdiff_t>(index));
  if (task.pending().kind == OperationKind::GatePass) {
    scheduler_.disarm(task.deadline);
    scheduler_.enable(task);
  }
}

void SimCell::notify(bool all, runtime::Location here) {
  const Quiet quiet;
  if (!scheduler_.step_if_running(OperationKind::GateChange, this, here)) {
    return;
  }
  std::vector<std::size_t> waiting;
  std::vector<const Actor*>& tasks = scheduler_.room_for_candidates();
  for (std::size_t i = 0; i < waiters_.size(); ++i) {
    if (waiters_[i].for_notification) {
      waiting.push_back(i);
      tasks.push_back(waiters_[i].task);
    }
  }
  if (all) {
    std::for_each(waiting.rbegin(), waiting.rend(), [this](std::size_t index) { wake(index); });
  } else if (!waiting.empty()) {
    wake(waiting[scheduler_.choose(ChoiceKind::Waiter, tasks.size(), "which waiter wakes", tasks)]);
  }
}

std::string SimCell::blocked_because(const SimTask&) const {
  return "and no task is left that would notify it";
}

}  // namespace watchlab::sim
