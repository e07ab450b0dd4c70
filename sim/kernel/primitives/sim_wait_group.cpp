#include "sim/kernel/primitives/sim_wait_group.hpp"

#include <fmt/format.h>

#include <memory>

#include "core/runtime/ensure.hpp"
#include "sim/kernel/fiber.hpp"
#include "sim/kernel/path_text.hpp"

namespace watchlab::sim {

void SimWaitGroup::add(std::ptrdiff_t delta, runtime::Location here) {
  const Quiet quiet;
  if (!scheduler_.step_if_running(OperationKind::GroupAdd, this, here,
                                  static_cast<std::uint64_t>(delta))) {
    return;
  }
  if (delta < 0) {
    scheduler_.release(done_);
  }
  count_ += delta;
  if (count_ < 0) {
    throw runtime::Panic(fmt::format("negative counter of {} at {}", describe(), place_text(here)));
  }
  if (count_ == 0) {
    for (SimTask* const task : waiting_) {
      let_go(*task);
    }
    waiting_.clear();
  }
}

void SimWaitGroup::wait(runtime::Location here) {
  const Quiet quiet;
  if (scheduler_.running_down()) {
    scheduler_.end_wait();
    return;
  }
  SimTask& me = scheduler_.current();
  scheduler_.publish(OperationKind::GroupWait, this, here);
  const bool must_wait = count_ > 0;
  me.flag = false;
  if (must_wait) {
    park(me);
  }
  scheduler_.decide();
  if (!must_wait && count_ > 0 && !scheduler_.stopping()) {
    // A task counted up between the announcement and the step; what was let go stays let go.
    scheduler_.publish(OperationKind::GroupWait, this, here);
    park(me);
    scheduler_.decide();
  }
  if (scheduler_.stopping()) {
    scheduler_.end_wait();
    return;
  }
  runtime::ensure(me.flag || count_ <= 0, "a wait for a group is over and no task let this one go");
  scheduler_.acquire(done_);
}

void SimWaitGroup::let_go(SimTask& task) {
  runtime::ensure(count_ == 0, "a group lets go while it counts");
  task.flag = true;
  scheduler_.enable(task);
}

void SimWaitGroup::park(SimTask& me) {
  runtime::ensure(count_ > 0, "a task waits for a group that counts nothing");
  me.flag = false;
  waiting_.push_back(&me);
  scheduler_.disable(me);
}

void SimWaitGroup::retire() noexcept {
  const Quiet quiet;
  std::unique_ptr<SimObject> self(this);
  if (!waiting_.empty() || scheduler_.root_ended()) {
    scheduler_.retire(std::move(self));
  }
}

std::string SimWaitGroup::blocked_because(const SimTask&) const {
  return fmt::format("which still counts {}", count_);
}

}  // namespace watchlab::sim
