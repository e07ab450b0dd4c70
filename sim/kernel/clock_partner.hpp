#pragma once

#include <optional>

#include "core/runtime/channel.hpp"
#include "core/runtime/timer.hpp"
#include "sim/kernel/world.hpp"

namespace watchlab::sim {

/// A program outside the world that shares its clock. Before time advances, the scheduler lets the
/// partner go first, and the world follows no further than the partner came. So neither is ever
/// late for what the other one does, and neither has to know the other's timers.
class ClockPartner {
 public:
  ClockPartner() = default;
  ClockPartner(const ClockPartner&) = delete;
  ClockPartner& operator=(const ClockPartner&) = delete;
  virtual ~ClockPartner() = default;

  /// No task can run, and time is about to jump to `limit`. If the partner reaches an earlier time
  /// at which it has something to say, it rings a `PartnerAlarm` then. Called between two steps, on
  /// whatever task ran last: it must not perform operations of the world or throw.
  virtual void advance(runtime::TimePoint limit) = 0;
};

/// While it lives, the partner goes first whenever time advances in this world.
class PartnerRegistration {
 public:
  /// Throws `EnsureFailed` if another partner has the seat.
  PartnerRegistration(World& world, ClockPartner& partner);
  PartnerRegistration(const PartnerRegistration&) = delete;
  PartnerRegistration& operator=(const PartnerRegistration&) = delete;
  ~PartnerRegistration();

 private:
  Scheduler& scheduler_;
};

/// Wakes the task that talks to a partner. Setting it is not an operation, so `advance` may do it.
class PartnerAlarm {
 public:
  explicit PartnerAlarm(World& world);

  /// It rings at this time, which must not be in the past, instead of the time set before; nothing
  /// for never.
  void set(std::optional<runtime::TimePoint> moment);
  /// Receives a value when it rings. One ring that nobody waited for is kept.
  [[nodiscard]] const runtime::Channel<runtime::TimePoint>& channel() const { return channel_; }

 private:
  Scheduler& scheduler_;
  runtime::Channel<runtime::TimePoint> channel_;
  runtime::Owned<runtime::TimerBackend> timer_;
};

}  // namespace watchlab::sim
