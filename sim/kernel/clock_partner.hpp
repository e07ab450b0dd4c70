#pragma once

#include <optional>

#include "core/runtime/channel.hpp"
#include "core/runtime/timer.hpp"
#include "sim/kernel/world.hpp"

namespace watchlab::sim {

/// A program outside of the world that shares its clock. Before time goes on, the scheduler lets
/// the partner go first; the world follows not further than the partner came. So neither of the two
/// is ever late for what the other one says, and neither has to know the other's timers.
class ClockPartner {
 public:
  ClockPartner() = default;
  ClockPartner(const ClockPartner&) = delete;
  ClockPartner& operator=(const ClockPartner&) = delete;
  virtual ~ClockPartner() = default;

  /// No task can run, and time is about to jump to `limit`. A partner that comes to an earlier
  /// moment at which it has something to say rings a `PartnerAlarm` then. Called between two steps,
  /// on whatever task ran last: it may do no operation of the world and must not throw.
  virtual void advance(runtime::TimePoint limit) = 0;
};

/// While it lives, the partner goes first whenever time passes in this world.
class PartnerSeat {
 public:
  /// Throws `EnsureFailed` when another partner has the seat.
  PartnerSeat(World& world, ClockPartner& partner);
  PartnerSeat(const PartnerSeat&) = delete;
  PartnerSeat& operator=(const PartnerSeat&) = delete;
  ~PartnerSeat();

 private:
  Scheduler& scheduler_;
};

/// Wakes the task that speaks with a partner. To set it is no operation, so that `advance` can.
class PartnerAlarm {
 public:
  explicit PartnerAlarm(World& world);

  /// It rings at that moment, which is not over, and not at the one set before; never for none.
  void set(std::optional<runtime::TimePoint> moment);
  /// Receives when it rings. A ring that no task waited for is kept, once.
  [[nodiscard]] const runtime::Channel<runtime::TimePoint>& channel() const { return channel_; }

 private:
  Scheduler& scheduler_;
  runtime::Channel<runtime::TimePoint> channel_;
  runtime::Owned<runtime::TimerBackend> timer_;
};

}  // namespace watchlab::sim
