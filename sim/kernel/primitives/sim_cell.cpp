#include "sim/kernel/primitives/sim_cell.hpp"

#include <algorithm>
#include <chrono>

#include "sim/kernel/primitives/sim_gate.hpp"

namespace watchlab::sim {
namespace {

/// How often a task may find what it knows before it waits for something new.
constexpr std::uint32_t kIdleReads = 2;
/// How often it reads on where that is chosen. A loop with an end is mostly shorter.
constexpr std::uint32_t kReadsAhead = 1000;

/// How long a task that spins waits when no other task can go on. It grows with the time that it
/// has spun, so that few steps come to where another task wakes by a clock.
runtime::Duration spin_pause(runtime::Duration spun) {
  constexpr runtime::Duration kLeast = std::chrono::microseconds(1);
  constexpr runtime::Duration kMost = std::chrono::hours(1);
  return std::clamp(spun / 16, kLeast, kMost);
}

bool acquires(std::memory_order order) {
  return order != std::memory_order_relaxed && order != std::memory_order_release;
}

bool releases(std::memory_order order) {
  return order == std::memory_order_release || order == std::memory_order_acq_rel ||
         order == std::memory_order_seq_cst;
}

}  // namespace

bool SimCell::begin_access(runtime::AccessKind kind, bool reads, runtime::Location here) {
  const Quiet quiet;
  if (scheduler_.running_down()) {
    return false;
  }
  SimTask& me = scheduler_.current();
  if (reads && !scheduler_.unwinding() && spins(me)) {
    if (me.spinning.ahead > 0 && me.operations() == me.spinning.operations) {
      --me.spinning.ahead;
      return true;
    }
    if (!reads_on(me)) {
      await_write(me, here);
    }
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
    if (me.spinning.cell != this || me.spinning.version != version_) {
      me.spinning = {.cell = this, .version = version_, .since = scheduler_.now()};
    }
    me.spinning.operations = me.operations();
    ++me.spinning.reads;
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

/// Between two reads of a loop it may have yielded or slept, or read the clock, which is no
/// operation.
bool SimCell::spins(SimTask& me) const {
  const Spinning& last = me.spinning;
  const OperationKind between = me.pending().kind;
  const bool paused = between == OperationKind::Yield || between == OperationKind::Sleep;
  const bool is_next = me.operations() <= last.operations + (paused ? 1 : 0);
  if (last.cell != this || last.version != version_ || !is_next) {
    if (last.cell == this) {
      me.spinning = {};
    }
    return false;
  }
  return last.reads >= kIdleReads;
}

bool SimCell::reads_on(SimTask& me) {
  if (me.spinning.asked || me.operations() != me.spinning.operations) {
    return false;
  }
  me.spinning.asked = true;
  const bool chosen =
      scheduler_.choose(ChoiceKind::Value, 2, "whether a task that polls goes on") == 1;
  me.spinning.ahead = chosen ? kReadsAhead : 0;
  return chosen;
}

void SimCell::await_write(SimTask& me, runtime::Location here) {
  const runtime::TimePoint now = scheduler_.now();
  scheduler_.arm(me.deadline, now + spin_pause(now - me.spinning.since));
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
    scheduler_.become(task, OperationKind::GatePass, this);
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
