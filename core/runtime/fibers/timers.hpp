#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/runtime/backend.hpp"
#include "core/runtime/fibers/waiting.hpp"
#include "core/runtime/thread_timer.hpp"
#include "core/runtime/time.hpp"

namespace watchlab::runtime {

class FiberScheduler;
class FiberTimer;

/// One entry of the heap: a timer, or the deadline of a blocked operation. It stands in the object
/// that waits for it.
struct TimerNode {
  TimePoint at{};
  std::uint64_t number = 0;  ///< keeps those with one deadline in the order of arming
  std::size_t place = kOut;  ///< in the heap
  FiberTimer* timer = nullptr;
  Waiter* waiter = nullptr;  ///< woken with its arm when there is no timer

  static constexpr std::size_t kOut = static_cast<std::size_t>(-1);
};

/// All deadlines of a `FiberRuntime`: one heap, looked at by workers in turn and before they wait.
/// Any thread may call any function.
class FiberTimers {
 public:
  FiberTimers(FiberScheduler& scheduler, const ThreadClock& clock)
      : scheduler_(scheduler), clock_(clock) {}
  FiberTimers(const FiberTimers&) = delete;
  FiberTimers& operator=(const FiberTimers&) = delete;

  /// Puts the node in, again if it was in. True when it was.
  bool arm(TimerNode& node, TimePoint at);
  bool arm_after(TimerNode& node, Duration delay);
  /// The same, but it does not fire before the returned lock is released.
  [[nodiscard]] SpinLock& arm_and_keep_locked(TimerNode& node, TimePoint at);
  /// True when the node was in. Once it returns, it does not fire any more, and what it sent before
  /// lies in its channel.
  bool disarm(TimerNode& node);

  /// Fires all that are due. False, and cheap, when none is.
  bool fire_due();
  /// When the next is due, for the event loop.
  [[nodiscard]] std::optional<ThreadClock::Steady::time_point> next() const;

  [[nodiscard]] const ThreadClock& clock() const { return clock_; }

 private:
  bool arm_locked(TimerNode& node, TimePoint at);
  void put(TimerNode& node, TimePoint at);
  bool take(TimerNode& node);
  void fire(TimerNode& node, TimePoint now);
  [[nodiscard]] static bool is_before(const TimerNode& a, const TimerNode& b);
  void sift_up(std::size_t place);
  void sift_down(std::size_t place);
  void set(std::size_t place, TimerNode& node);
  void publish();

  FiberScheduler& scheduler_;
  const ThreadClock& clock_;
  SpinLock lock_;
  std::vector<TimerNode*> heap_;  ///< guarded by lock_
  std::uint64_t arms_ = 0;        ///< guarded by lock_
  std::atomic<TimePoint> next_ = TimePoint::max();
};

/// The timer of `FiberRuntime`.
class FiberTimer final : public TimerBackend {
 public:
  FiberTimer(FiberTimers& timers, std::shared_ptr<ChannelBackend> channel,
             std::optional<Duration> period)
      : timers_(timers), channel_(std::move(channel)), period_(period) {
    node_.timer = this;
  }
  ~FiberTimer() override { timers_.disarm(node_); }

  bool stop(Location) override { return timers_.disarm(node_); }
  bool reset(Duration delay, Location) override { return timers_.arm_after(node_, delay); }

 private:
  friend class FiberTimers;

  FiberTimers& timers_;
  const std::shared_ptr<ChannelBackend> channel_;
  const std::optional<Duration> period_;
  TimerNode node_;
};

}  // namespace watchlab::runtime
