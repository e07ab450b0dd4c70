#pragma once

#include <memory>
#include <optional>

#include "core/runtime/channel.hpp"
#include "core/runtime/ensure.hpp"

namespace watchlab::runtime {

/// Fires once, into a channel of capacity 1. Mirrors Go time.Timer before Go 1.23: `stop` and
/// `reset` do not drain the channel, so it may still hold a value that was sent before.
class Timer {
 public:
  Timer(Runtime& runtime, Duration delay, Location here = Location::current())
      : channel_(runtime, 1, "timer", here),
        backend_(runtime.make_timer(channel_.backend(), delay, std::nullopt, here)) {}

  /// Receives the time of firing.
  [[nodiscard]] const Channel<TimePoint>& channel() const { return channel_; }
  /// Returns true if this call kept the timer from firing; false if it had fired or was stopped.
  bool stop(Location here = Location::current()) { return backend_->stop(here); }
  /// Returns true if the timer was armed. Use it only on a stopped or fired timer with a drained
  /// channel.
  bool reset(Duration delay, Location here = Location::current()) {
    return backend_->reset(delay, here);
  }

 private:
  Channel<TimePoint> channel_;
  Owned<TimerBackend> backend_;
};

/// Fires every `period` into a channel of capacity 1; a tick is dropped if the channel is full.
/// Mirrors Go time.Ticker. The period must be positive.
class Ticker {
 public:
  Ticker(Runtime& runtime, Duration period, Location here = Location::current())
      : channel_(runtime, 1, "ticker", here) {
    if (period <= Duration::zero()) {
      throw Panic("a ticker needs a positive period");
    }
    backend_ = runtime.make_timer(channel_.backend(), period, period, here);
  }

  [[nodiscard]] const Channel<TimePoint>& channel() const { return channel_; }
  void stop(Location here = Location::current()) { backend_->stop(here); }

 private:
  Channel<TimePoint> channel_;
  Owned<TimerBackend> backend_;
};

}  // namespace watchlab::runtime
