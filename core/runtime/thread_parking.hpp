#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/runtime/backend.hpp"

namespace watchlab::runtime {

/// Where the thread of a blocked select sleeps. It stands in the queue of each of its channels, and
/// exactly one counterpart gets it: the one whose `claim` succeeds. That counterpart then completes
/// the arm and wakes the sleeper, all of it with the channel's mutex held, so that the sleeper
/// cannot leave (it needs that mutex to leave the queues) before the counterpart is through.
class ThreadParking {
 public:
  explicit ThreadParking(std::span<SelectCase> cases) : cases_(cases) {}
  ThreadParking(const ThreadParking&) = delete;
  ThreadParking& operator=(const ThreadParking&) = delete;

  /// For counterparts. True for one caller only, who must call `wake` next.
  [[nodiscard]] bool claim() {
    int expected = kAsleep;
    return stage_.compare_exchange_strong(expected, kClaimed);
  }
  [[nodiscard]] bool is_claimed() const { return stage_ != kAsleep; }
  /// The arm's value, to be taken or filled between `claim` and `wake`.
  [[nodiscard]] AnyValue& any_value(std::size_t arm) { return cases_[arm].any_value; }
  void wake(std::size_t arm, bool because_closed) {
    arm_ = arm;
    because_closed_ = because_closed;
    stage_ = kWoken;
    stage_.notify_one();
  }

  /// For the sleeper: returns after `wake`.
  void sleep() {
    for (int stage = stage_; stage != kWoken; stage = stage_) {
      stage_.wait(stage);
    }
  }
  [[nodiscard]] std::size_t arm() const { return arm_; }
  [[nodiscard]] bool because_closed() const { return because_closed_; }

 private:
  static constexpr int kAsleep = 0;
  static constexpr int kClaimed = 1;
  static constexpr int kWoken = 2;

  std::span<SelectCase> cases_;
  std::atomic<int> stage_ = kAsleep;
  std::size_t arm_ = 0;
  bool because_closed_ = false;
};

}  // namespace watchlab::runtime
