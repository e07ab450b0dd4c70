#include "sim/kernel/primitives/sim_wait_group.hpp"

#include <fmt/format.h>

#include <algorithm>
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
  if (count_ == 0 && delta > 0) {
    add_to(first_adds_, waits_, here);
  }
  count_ += delta;
  if (count_ < 0) {
    throw runtime::Panic(fmt::format(
        "negative counter of {} at {}{}", describe(), place_text(here),
        counted_.describe(scheduler_, "counted it last, down to " + std::to_string(count_ - delta),
                          "; no task has counted it up")));
  }
  counted_.note(scheduler_.current(), scheduler_.steps(), here);
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
  add_to(waits_, first_adds_, here);
  if (scheduler_.stopping()) {
    scheduler_.end_wait();
    return;
  }
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

void SimWaitGroup::add_to(std::vector<PlainAccess>& same, const std::vector<PlainAccess>& others,
                          runtime::Location here) {
  const std::optional<PlainAccess> mine = judges_order_ ? scheduler_.stamp(here) : std::nullopt;
  if (!mine) {
    return;
  }
  const auto known = std::ranges::find(same, mine->place, &PlainAccess::place);
  (known != same.end() ? *known : same.emplace_back()) = *mine;
  for (const PlainAccess& other : others) {
    if (!scheduler_.knows(other)) {
      return &same == &waits_ ? report(other, *mine) : report(*mine, other);
    }
  }
}

void SimWaitGroup::report(const PlainAccess& add, const PlainAccess& wait) {
  scheduler_.fail(
      "violation",
      fmt::format("misuse of {}: {} counts it up from zero ({}) beside the wait of {} ({}), and no "
                  "lock, channel, wait group, atomic or join orders one before the other; count it "
                  "up before the wait can begin, best before the task starts that counts it down",
                  describe(), add.task->identity().readable_path(), place_text(add.here),
                  wait.task->identity().readable_path(), place_text(wait.here)));
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
