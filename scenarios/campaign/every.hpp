#pragma once

#include <chrono>
#include <functional>
#include <utility>

namespace watchlab::scenarios {

/// Says when something is due that is done again and again. The first time is one period after it
/// was made. Not for several threads at once.
class Every {
 public:
  using Clock = std::chrono::steady_clock;

  /// `now` is the clock.
  explicit Every(
      Clock::duration period, std::function<Clock::time_point()> now = [] { return Clock::now(); })
      : period_(period), now_(std::move(now)), next_(now_() + period) {}

  /// Whether a period is over since it last said so.
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
