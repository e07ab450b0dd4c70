#include "sim/kernel/primitives/sim_timer.hpp"

#include "core/runtime/channel.hpp"
#include "core/runtime/ensure.hpp"
#include "sim/kernel/fiber.hpp"

namespace watchlab::sim {

void SimTimer::arm(runtime::Duration delay, std::optional<runtime::Duration> period) {
  runtime::ensure(!deadline_.armed() && slot() == kNoSlot, "a timer is armed that is armed or due");
  period_ = period;
  scheduler_.release(armed_);
  if (delay > runtime::Duration::zero()) {
    scheduler_.arm(deadline_, scheduler_.now() + delay);
  } else {
    scheduler_.admit(*this);
  }
}

void SimTimer::arm_at(runtime::TimePoint moment) {
  runtime::ensure(!deadline_.armed() && slot() == kNoSlot, "a timer is armed that is armed or due");
  if (moment > scheduler_.now()) {
    scheduler_.arm(deadline_, moment);
  } else {
    scheduler_.admit(*this);
  }
}

bool SimTimer::disarm() {
  if (slot() != kNoSlot) {
    scheduler_.dismiss(*this);
    return true;
  }
  const bool armed = deadline_.armed();
  scheduler_.disarm(deadline_);
  return armed;
}

bool SimTimer::stop(runtime::Location here) {
  const Quiet quiet;
  if (scheduler_.running_down()) {
    return true;
  }
  scheduler_.step(OperationKind::TimerStop, this, here);
  return !scheduler_.stopping() && disarm();
}

bool SimTimer::reset(runtime::Duration delay, runtime::Location here) {
  const Quiet quiet;
  if (scheduler_.running_down()) {
    return true;
  }
  scheduler_.step(OperationKind::TimerReset, this, here);
  if (scheduler_.stopping()) {
    return true;
  }
  const bool armed = disarm();
  arm(delay, period_);
  return armed;
}

void SimTimer::fire() {
  runtime::ensure(!deadline_.armed() && slot() == kNoSlot, "a timer fires that is armed or due");
  channel_->offer(runtime::Channel<runtime::TimePoint>::pack(scheduler_.now()), armed_);
  if (period_) {
    scheduler_.arm(deadline_, scheduler_.now() + *period_);
  }
}

void SimTimer::retire() noexcept {
  const Quiet quiet;
  std::unique_ptr<SimObject> self(this);
  if (!scheduler_.stopping()) {
    scheduler_.notify_retired(*this);
    disarm();
  }
  scheduler_.disarm(deadline_);  // a world that stops forgets who is ready, not who has a deadline
  if (pinned()) {
    scheduler_.retire(std::move(self));
  }
}

}  // namespace watchlab::sim
