#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "core/runtime/backend.hpp"
#include "core/runtime/time.hpp"

namespace watchlab::runtime {

/// Maps a runtime's time on the machine's steady clock. Begins at the moment that it is given, or
/// `kHeadStart` after the epoch: no moment of a run reads as the zero time. Any thread may call it.
class ThreadClock {
 public:
  using Steady = std::chrono::steady_clock;

  explicit ThreadClock(std::optional<TimePoint> origin = std::nullopt)
      : origin_(origin.value_or(TimePoint(kHeadStart))) {}

  [[nodiscard]] TimePoint now() const { return origin_ + (Steady::now() - started_); }

  /// The same moment for the standard library. Moments before the start become the start, moments
  /// in the far future (as `TimePoint::max()`) become a moment that never comes.
  [[nodiscard]] Steady::time_point steady(TimePoint moment) const {
    if (moment <= origin_) {
      return started_;
    }
    const Duration since_start = moment - origin_;
    return started_ + (since_start < kFar ? since_start : kFar);
  }

 private:
  static constexpr Duration kHeadStart = std::chrono::hours(1000);
  static constexpr Duration kFar = std::chrono::hours(24 * 365 * 100);

  TimePoint origin_;
  Steady::time_point started_ = Steady::now();
};

class ThreadTimer;

/// All armed timers of a `ThreadRuntime`, and the one thread that fires them; it starts with the
/// first timer that is armed. Destroying it stops the thread.
class ThreadTimers {
 public:
  explicit ThreadTimers(const ThreadClock& clock) : clock_(clock) {}
  ThreadTimers(const ThreadTimers&) = delete;
  ThreadTimers& operator=(const ThreadTimers&) = delete;
  ~ThreadTimers();

  /// Starts the thread now, so that `arm` cannot fail. Throws `std::system_error`.
  void begin();
  /// Arms the timer to fire after `delay`. True when it was armed before.
  bool arm(ThreadTimer& timer, Duration delay);
  /// True when the timer was armed. Once it returns, the timer does not fire any more, and what it
  /// sent before lies in its channel.
  bool disarm(ThreadTimer& timer);

 private:
  /// The number separates timers with equal deadlines and keeps them in the order of arming.
  using Deadline = std::pair<TimePoint, std::uint64_t>;

  void start_thread();
  void put(ThreadTimer& timer, TimePoint at);
  bool take(ThreadTimer& timer);
  void fire_all();
  void fire(ThreadTimer& timer);

  const ThreadClock& clock_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<Deadline, ThreadTimer*> armed_;
  std::uint64_t arms_ = 0;
  bool ending_ = false;
  std::thread thread_;
};

/// The timer of `ThreadRuntime`. Its state belongs to `ThreadTimers`.
class ThreadTimer final : public TimerBackend {
 public:
  ThreadTimer(ThreadTimers& timers, std::shared_ptr<ChannelBackend> channel,
              std::optional<Duration> period)
      : timers_(timers), channel_(std::move(channel)), period_(period) {}
  ~ThreadTimer() override { timers_.disarm(*this); }

  bool stop(Location) override { return timers_.disarm(*this); }
  bool reset(Duration delay, Location) override { return timers_.arm(*this, delay); }

 private:
  friend class ThreadTimers;

  ThreadTimers& timers_;
  const std::shared_ptr<ChannelBackend> channel_;
  const std::optional<Duration> period_;
  std::optional<std::pair<TimePoint, std::uint64_t>> deadline_;  ///< set while armed
};

}  // namespace watchlab::runtime
