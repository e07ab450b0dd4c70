#include "sim/network/stream.hpp"

#include "core/runtime/select.hpp"

namespace watchlab::sim {
namespace {

constexpr std::size_t kStopArm = 0;
constexpr std::size_t kTimerArm = 1;

}  // namespace

bool WakeUp::sleep(const runtime::StopToken& stop, std::optional<runtime::TimePoint> until) {
  runtime::Select choice(runtime_);
  choice.receive(stop.done(runtime_));
  if (until) {
    arm(*until);
    choice.receive(timer_->channel());
  } else {
    choice.receive(runtime::Channel<runtime::TimePoint>::nil(runtime_));
  }
  choice.receive(bell_);
  const std::size_t arm = choice.wait();
  if (arm == kTimerArm) {
    armed_for_.reset();
  }
  return arm != kStopArm;
}

bool WakeUp::sleep_through(const runtime::StopToken& stop, runtime::TimePoint until) {
  if (runtime_.now() >= until) {
    return true;
  }
  runtime::Timer timer(runtime_, until - runtime_.now());
  runtime::Select choice(runtime_);
  choice.receive(stop.done(runtime_));
  choice.receive(timer.channel());
  const bool went_on = choice.wait() != kStopArm;
  timer.stop();
  return went_on;
}

void WakeUp::arm(runtime::TimePoint until) {
  // Most sleeps of a watch end at the same time, its next bookmark: the timer is kept for them.
  if (armed_for_ == until) {
    return;
  }
  rest();
  timer_.emplace(runtime_, until - runtime_.now(), runtime::Location::current());
  armed_for_ = until;
}

void WakeUp::rest() {
  if (timer_ && armed_for_) {
    timer_->stop();
  }
  timer_.reset();
  armed_for_.reset();
}

}  // namespace watchlab::sim
