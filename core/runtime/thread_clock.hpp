#pragma once

#include <chrono>

#include "core/runtime/time.hpp"

namespace watchlab::runtime {

/// Maps a runtime's time on the machine's steady clock. Begins `head_start` after the epoch, so
/// that no moment of a run reads as the zero time. Any thread may call it.
class ThreadClock {
 public:
  using Steady = std::chrono::steady_clock;

  [[nodiscard]] TimePoint now() const { return origin() + (Steady::now() - started_); }

  /// The same moment for the standard library. Moments before the start become the start, moments
  /// in the far future (as `TimePoint::max()`) become a moment that nobody lives to see.
  [[nodiscard]] Steady::time_point steady(TimePoint moment) const {
    if (moment <= origin()) {
      return started_;
    }
    const Duration since_start = moment - origin();
    return started_ + (since_start < far ? since_start : far);
  }

 private:
  static constexpr Duration head_start = std::chrono::hours(1000);
  static constexpr Duration far = std::chrono::hours(24 * 365 * 100);

  static constexpr TimePoint origin() { return TimePoint(head_start); }

  Steady::time_point started_ = Steady::now();
};

}  // namespace watchlab::runtime
