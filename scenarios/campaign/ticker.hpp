#pragma once

#include <chrono>
#include <functional>
#include <utility>

namespace watchlab::scenarios {

/// Tells when a periodic action is due. It is first due one period after construction. Not for
/// several threads at once.
class Ticker {
 public:
  using Clock = std::chrono::steady_clock;

  /// `now` is the clock.
  explicit Ticker(
      Clock::duration period, std::function<Clock::time_point()> now = [] { return Clock::now(); })
      : period_(period), now_(std::move(now)), next_(now_() + period) {}

  /// Whether a period has passed since this last returned true.
  [[nodiscard]] bool is_due() {
    const Clock::time_point now = now_();
    if (now < next_) {
      return false;
    }
    next_ = now + period_;
    return true;
  }

 private:
  Clock::duration period_;
  std::function<Clock::time_point()> now_;
  Clock::time_point next_;
};

}  // namespace watchlab::scenarios
