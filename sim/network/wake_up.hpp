#pragma once

#include <optional>

#include "core/runtime/channel.hpp"
#include "core/runtime/stop_token.hpp"
#include "core/runtime/timer.hpp"

namespace watchlab::sim {

/// Lets one task sleep until it is woken, its time has come, or it shall stop. A ring that comes
/// while nobody sleeps is kept, once.
class WakeUp {
 public:
  explicit WakeUp(runtime::Runtime& runtime) : runtime_(runtime), bell_(runtime, 1, "wake_up") {}

  /// Any task may call it.
  void ring() { (void)bell_.try_send({}); }
  /// For the one task that sleeps. False when it was `stop` that ended the sleep.
  bool sleep(const runtime::StopToken& stop, std::optional<runtime::TimePoint> until);
  /// Sleeps until that time whatever rings. False when it was `stop` that ended the sleep.
  bool sleep_through(const runtime::StopToken& stop, runtime::TimePoint until);
  /// Lets go of the timer of the last sleep; call it when there will be no other.
  void rest();

 private:
  void arm(runtime::TimePoint until);

  runtime::Runtime& runtime_;
  runtime::Channel<runtime::Unit> bell_;
  std::optional<runtime::Timer> timer_;
  std::optional<runtime::TimePoint> armed_for_;
};

}  // namespace watchlab::sim
