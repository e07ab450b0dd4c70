#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "core/runtime/backend.hpp"
#include "core/runtime/thread_clock.hpp"

namespace watchlab::runtime {

class ThreadTimer;

/// All armed timers of a `ThreadRuntime`, and the one thread that fires them; it starts with the
/// first timer that is armed. Destroying it stops the thread.
class ThreadTimers {
 public:
  explicit ThreadTimers(const ThreadClock& clock) : clock_(clock) {}
  ThreadTimers(const ThreadTimers&) = delete;
  ThreadTimers& operator=(const ThreadTimers&) = delete;
  ~ThreadTimers();

  /// Arms the timer to fire after `delay`. True when it was armed before.
  bool arm(ThreadTimer& timer, Duration delay);
  /// True when the timer was armed. Once it returns, the timer does not fire any more, and what it
  /// sent before lies in its channel.
  bool disarm(ThreadTimer& timer);

 private:
  /// The number tells apart timers with equal deadlines and keeps them in the order of arming.
  using Deadline = std::pair<TimePoint, std::uint64_t>;

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
