#pragma once

#include <chrono>

namespace watchlab::runtime {

/// Every duration in watchlab, in nanoseconds; literals such as `800ms` convert implicitly.
using Duration = std::chrono::nanoseconds;

/// The clock of every `Runtime`. It deliberately has no static `now()`: there is no time outside a
/// runtime, so ask the `Runtime&` that you were given. The epoch is up to the implementation and
/// never reads as "unset": a runtime starts well after it.
struct Clock {
  using duration = Duration;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<Clock, Duration>;
  static constexpr bool is_steady = true;
};

/// A point in time on a runtime's clock.
using TimePoint = Clock::time_point;

}  // namespace watchlab::runtime
