#pragma once

#include <memory>
#include <optional>

#include "core/runtime/backend.hpp"
#include "sim/kernel/primitives/sim_channel.hpp"
#include "sim/kernel/scheduler.hpp"

namespace watchlab::sim {

/// A timer of a simulated world: armed, then due, then fired. When due it becomes an actor like a
/// task, so whatever else is ready at that time may come before or after it.
class SimTimer final : public runtime::TimerBackend, public Actor {
 public:
  SimTimer(Scheduler& scheduler, Identity&& identity, runtime::Location made,
           std::shared_ptr<SimChannel> channel)
      : Actor(scheduler, std::move(identity), made, false), channel_(std::move(channel)) {
    deadline_.actor = this;
  }

  bool stop(runtime::Location here) override;
  bool reset(runtime::Duration delay, runtime::Location here) override;
  void retire() noexcept override;

  [[nodiscard]] const SimChannel& channel() const { return *channel_; }
  /// Without a scheduling point; for creating a timer.
  void arm(runtime::Duration delay, std::optional<runtime::Duration> period);
  /// The same for a partner of the clock, in no task's name.
  void arm_at(runtime::TimePoint moment);
  /// Also without a scheduling point. Returns true if it was armed or due.
  bool disarm();

 private:
  void fire() override;

  std::shared_ptr<SimChannel> channel_;
  std::optional<runtime::Duration> period_;
  Deadline deadline_;
  SyncPoint armed_;  ///< from the task that armed it to the one that receives from it
};

}  // namespace watchlab::sim
