#include "sim/kernel/sim_task.hpp"

#include "core/runtime/ensure.hpp"
#include "sim/kernel/fiber.hpp"
#include "sim/kernel/scheduler.hpp"

namespace watchlab::sim {

void SimTask::join(runtime::Location here) {
  const Quiet quiet;
  if (scheduler_.running_down()) {
    if (!has_ended_by_itself()) {
      scheduler_.end_wait();
    }
    return;
  }
  SimTask& me = scheduler_.current();
  scheduler_.publish(OperationKind::Join, this, here);
  if (state != State::Ended) {
    joiners.insert(me.slot());
    scheduler_.disable(me);
  }
  scheduler_.decide();
  if (scheduler_.stopping() && !has_ended_by_itself()) {
    scheduler_.end_wait();
    return;
  }
  runtime::ensure(state == State::Ended, "join comes back from a task that has not ended");
  scheduler_.acquire(ended);
}

bool SimTask::done(runtime::Location here) {
  const Quiet quiet;
  if (!scheduler_.running_down() && !scheduler_.passes_over(OperationKind::TaskDone, this, here)) {
    scheduler_.step(OperationKind::TaskDone, this, here);
    scheduler_.looked(OperationKind::TaskDone, this, here);
  }
  if (has_ended_by_itself()) {
    scheduler_.acquire(ended);
  }
  return has_ended_by_itself();
}

std::vector<const SimTask*> SimTask::releasers(const SimTask&) const { return {this}; }

}  // namespace watchlab::sim
