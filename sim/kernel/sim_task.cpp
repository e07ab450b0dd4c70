#include "sim/kernel/sim_task.hpp"

#include "sim/kernel/quiet.hpp"
#include "sim/kernel/scheduler.hpp"

namespace watchlab::sim {

void SimTask::join(runtime::Location here) {
  const Quiet quiet;
  if (scheduler_.running_down()) {
    if (state != State::Ended) {
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
  if (scheduler_.stopping() && state != State::Ended) {
    scheduler_.end_wait();
  }
  scheduler_.acquire(ended);
}

bool SimTask::done(runtime::Location here) {
  const Quiet quiet;
  if (!scheduler_.running_down()) {
    scheduler_.step(OperationKind::TaskDone, this, here);
  }
  if (state == State::Ended) {
    scheduler_.acquire(ended);
  }
  return state == State::Ended;
}

std::vector<const SimTask*> SimTask::releasers(const SimTask&) const { return {this}; }

}  // namespace watchlab::sim
