#pragma once

#include <chrono>

namespace watchlab::runtime {

/// All spans of time in watchlab, in nanoseconds; literals such as `800ms` convert by themselves.
using Duration = std::chrono::nanoseconds;

/// The clock that every `Runtime` keeps. It has no static `now()` on purpose: there is no time
/// outside of a runtime, so ask the `Runtime&` you were given. Its epoch is an implementation's
/// choice and never reads as "unset": a runtime starts well after it.
struct Clock {
  using duration = Duration;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<Clock, Duration>;
  static constexpr bool is_steady = true;
};

/// A moment on a runtime's clock.
using TimePoint = Clock::time_point;

}  // namespace watchlab::runtime
