#pragma once

#include <chrono>
#include <ctime>
#include <thread>

#include "sim/std/world_parts.hpp"

namespace watchlab::stdx {

namespace chrono {

/// As std::chrono::steady_clock; in a world it shows the world's time, which passes only when no
/// task can go on. A clock of its own: its moments are no moments of the standard's.
struct steady_clock {
  using duration = nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = ::std::chrono::time_point<steady_clock, duration>;
  static constexpr bool is_steady = true;

  [[nodiscard]] static time_point now() noexcept;
};

/// As std::chrono::system_clock. In a world a run begins on 1 January 2024.
struct system_clock {
  using duration = nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = ::std::chrono::time_point<system_clock, duration>;
  static constexpr bool is_steady = false;

  [[nodiscard]] static time_point now() noexcept;
  [[nodiscard]] static ::std::time_t to_time_t(const time_point& moment) noexcept {
    return floor<seconds>(moment.time_since_epoch()).count();
  }
  [[nodiscard]] static time_point from_time_t(::std::time_t moment) noexcept {
    return time_point(seconds(moment));
  }
};

}  // namespace chrono

namespace this_thread {

void yield(Location here = Location::current());

template <typename Rep, typename Period>
void sleep_for(const chrono::duration<Rep, Period>& delay, Location here = Location::current()) {
  if (sim::World* const world = world_here()) {
    stdx::sleep_until(*world, moment_after(*world, delay), here);
  } else {
    ::std::this_thread::sleep_for(delay);
  }
}

template <typename Clock, typename Span>
void sleep_until(const chrono::time_point<Clock, Span>& moment,
                 Location here = Location::current()) {
  if (sim::World* const world = world_here()) {
    stdx::sleep_until(*world, moment_of(*world, moment), here);
  } else {
    ::std::this_thread::sleep_until(moment);
  }
}

}  // namespace this_thread

}  // namespace watchlab::stdx
