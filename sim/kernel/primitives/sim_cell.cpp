#include "sim/kernel/primitives/sim_cell.hpp"

#include <algorithm>

#include "sim/kernel/primitives/sim_gate.hpp"

namespace watchlab::sim {
namespace {

bool acquires(std::memory_order order) {
  return order != std::memory_order_relaxed && order != std::memory_order_release;
}

bool releases(std::memory_order order) {
  return order == std::memory_order_release || order == std::memory_order_acq_rel ||
         order == std::memory_order_seq_cst;
}

}  // namespace

void SimCell::order(runtime::AccessKind kind, std::memory_order order, bool changed) {
  const Quiet quiet;
  if (kind != runtime::AccessKind::Write) {
    if (acquires(order)) {
      scheduler_.acquire(sync_);
    } else {
      scheduler_.see(sync_);
    }
  }
  if (kind == runtime::AccessKind::Read) {
    settle(false);
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
  settle(changed);
}

void SimCell::await_notification(runtime::Location here) {
  const Quiet quiet;
  if (scheduler_.running_down()) {
    scheduler_.end_wait();
    return;
  }
  SimTask& me = scheduler_.current();
  scheduler_.publish(OperationKind::GatePass, this, here, SimGate::kOnce);
  waiters_.push_back(&me);
  scheduler_.disable(me);
  scheduler_.decide();
  std::erase(waiters_, &me);
  if (scheduler_.stopping()) {
    scheduler_.end_wait();
  }
}

void SimCell::wake(std::size_t index) {
  SimTask& task = *waiters_[index];
  waiters_.erase(waiters_.begin() + static_cast<std::ptrdiff_t>(index));
  scheduler_.become(task, OperationKind::GatePass, this);
  scheduler_.enable(task);
}

void SimCell::notify(bool all, runtime::Location here) {
  const Quiet quiet;
  if (!scheduler_.step_if_running(OperationKind::GateChange, this, here)) {
    return;
  }
  if (all) {
    while (!waiters_.empty()) {
      wake(waiters_.size() - 1);
    }
  } else if (!waiters_.empty()) {
    std::vector<const Actor*>& tasks = scheduler_.room_for_candidates();
    tasks.assign(waiters_.begin(), waiters_.end());
    wake(scheduler_.choose(ChoiceKind::Waiter, tasks.size(), "which waiter wakes", tasks));
  }
}

std::string SimCell::blocked_because(const SimTask&) const {
  return "and no task is left that would notify it";
}

}  // namespace watchlab::sim
