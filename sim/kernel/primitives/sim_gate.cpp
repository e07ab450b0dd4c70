#include "sim/kernel/primitives/sim_gate.hpp"

#include <algorithm>
#include <memory>

#include "sim/kernel/fiber.hpp"

namespace watchlab::sim {

void SimGate::change(const Change& change, int edges, runtime::Location here) {
  const Quiet quiet;
  if (!scheduler_.step_if_running(OperationKind::GateChange, this, here)) {
    return;
  }
  order(edges);
  change();
  update_waiters();
}

bool SimGate::attempt(const Condition& attempt, int edges, Holding holding,
                      runtime::Location here) {
  const Quiet quiet;
  if (scheduler_.running_down()) {
    return false;
  }
  const auto way = static_cast<std::uint8_t>(edges);
  if (scheduler_.passes_over(OperationKind::GateChange, this, here, way)) {
    return false;
  }
  scheduler_.step(OperationKind::GateChange, this, here);
  if (scheduler_.stopping()) {
    return false;
  }
  if (!attempt()) {
    scheduler_.looked(OperationKind::GateChange, this, here, way);
    return false;
  }
  order(edges);
  if (holding == Holding::Begins) {
    hold(here);
  }
  update_waiters();
  return true;
}

bool SimGate::pass(const Condition& open, const Change& enter, const PassOptions& options,
                   runtime::Location here) {
  const Quiet quiet;
  if (scheduler_.running_down()) {
    scheduler_.end_wait();
    return true;
  }
  SimTask& me = scheduler_.current();
  scheduler_.publish(OperationKind::GatePass, this, here, options.way);
  waiters_.push_back({&me, &open, options.deadline, 0});
  update(waiters_.back());
  scheduler_.decide();
  forget(me);
  scheduler_.disarm(me.deadline);
  if (scheduler_.stopping()) {
    scheduler_.end_wait();
    return true;
  }
  if (me.pending().kind == OperationKind::GateTimeout) {
    return false;
  }
  runtime::ensure(open(), "a task passes a gate that is closed");
  order(options.edges);
  if (options.holding == Holding::Begins) {
    hold(here);
  }
  enter();
  update_waiters();
  return true;
}

/// One whose time is up gives up, whatever happens to the gate before it does.
void SimGate::update_waiters() {
  scheduler_.changed(*this);
  for (Waiter& waiter : waiters_) {
    if (waiter.task->pending().kind == OperationKind::GatePass) {
      update(waiter);
    }
  }
}

void SimGate::update(Waiter& waiter) {
  Deadline& deadline = waiter.task->deadline;
  if (waiter.deadline) {
    scheduler_.note_deadline();  // whether one is armed depends on who comes first
  }
  if ((*waiter.open)()) {
    scheduler_.disarm(deadline);
    if (waiter.prompted_at == 0 && opened_at_ != 0) {
      waiter.prompted_at = opened_at_;
      scheduler_.prompt(*waiter.task, opened_at_);
    }
    scheduler_.enable(*waiter.task);
    return;
  }
  scheduler_.disable(*waiter.task);
  if (waiter.deadline && !deadline.armed()) {
    scheduler_.arm(deadline, std::max(*waiter.deadline, scheduler_.now()));
  }
}

bool SimGate::has_deadline(const SimTask& task) const {
  return std::any_of(waiters_.begin(), waiters_.end(), [&](const Waiter& waiter) {
    return waiter.task == &task && waiter.deadline.has_value();
  });
}

void SimGate::forget(const SimTask& task) {
  std::erase_if(waiters_, [&](const Waiter& waiter) { return waiter.task == &task; });
}

void SimGate::order(int edges) {
  if ((edges & Acquires) != 0) {
    scheduler_.acquire(sync_);
  }
  if ((edges & AcquiresReaders) != 0) {
    scheduler_.acquire(readers_);
  }
  if ((edges & Releases) != 0) {
    scheduler_.release(sync_);
  }
  if ((edges & ReleasesReaders) != 0) {
    scheduler_.release(readers_);
  }
}

void SimGate::hold(runtime::Location here) {
  SimTask& me = scheduler_.current();
  me.pin();
  holders_.push_back({&me, scheduler_.steps(), here});
}

bool SimGate::let_go(runtime::Location here) {
  const auto mine = std::find_if(holders_.begin(), holders_.end(), [this](const Holder& holder) {
    return holder.task == &scheduler_.current();
  });
  if (mine == holders_.end()) {
    return false;
  }
  holders_.erase(mine);
  let_go_.note(scheduler_.current(), scheduler_.steps(), here);
  return true;
}

std::string SimGate::held_because() const { return describe_hold(scheduler_, holders_, let_go_); }

void SimGate::retire() noexcept {
  const Quiet quiet;
  std::unique_ptr<SimObject> self(this);
  if (!waiters_.empty() || scheduler_.root_ended()) {
    scheduler_.retire(std::move(self));
  }
}

std::vector<const SimTask*> SimGate::releasers(const SimTask&) const {
  std::vector<const SimTask*> tasks;
  for (const Holder& holder : holders_) {
    tasks.push_back(holder.task);
  }
  return tasks;
}

std::string SimGate::blocked_because(const SimTask& task) const {
  if (holders_.empty()) {
    return "and no task is left that would let it pass";
  }
  return describe_holders(holders_, "", task);
}

}  // namespace watchlab::sim
