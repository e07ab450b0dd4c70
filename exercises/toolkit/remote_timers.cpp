#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "exercises/toolkit/remote_code.hpp"
#include "sim/kernel/sim_object.hpp"

// What graded tests may do to the clock of their world. Time that passes lets timers fire, and each
// firing is a step; the world's limit of steps would be reached the sooner, the more operations the
// library has needed.
namespace watchlab::course {

using runtime::Duration;
using runtime::Location;
using runtime::TimePoint;

void RemoteCode::count_step_of_tests() {
  if (serves_ && ++tests_steps_ > kTestsStepsMax && last_step_) {
    throw runtime::Panic(std::string(kTooLong));
  }
}

bool RemoteCode::is_in_time(TimePoint deadline) const {
  return !last_step_ || deadline <= began_ + kTestsTimeMax;
}

bool RemoteCode::fires_in(Duration delay) {
  return is_in_time(runtime().now() + std::min(delay, 2 * kTestsTimeMax));
}

std::shared_ptr<runtime::TimerBackend> RemoteCode::timer_for(const Channel& channel,
                                                             std::uint64_t number,
                                                             std::optional<Duration> delay,
                                                             std::optional<Duration> period,
                                                             Location here) {
  if (last_step_ && delay) {
    count_step_of_tests();
    if (period) {
      tickers_[number] = {channel.backend, std::clamp(*period, Duration(1), 2 * kTestsTimeMax),
                          runtime().now() + std::min(*delay, 2 * kTestsTimeMax)};
      period.reset();
    }
    if (!fires_in(*delay)) {
      delay.reset();
    }
  }
  return runtime().make_timer(channel.backend, delay, period, here);
}

void RemoteCode::arm_tickers() {
  for (auto& [number, ticker] : tickers_) {
    auto& timer = std::get<std::shared_ptr<runtime::TimerBackend>>(handles_.at(number));
    if (dynamic_cast<const sim::Actor&>(*timer).operations() == 0) {
      continue;  // it has not fired yet
    }
    const TimePoint now = runtime().now();
    ticker.next += ticker.period * ((now - ticker.next) / ticker.period + 1);
    if (is_in_time(ticker.next)) {
      count_step_of_tests();
      timer = runtime().make_timer(ticker.channel, ticker.next - now, std::nullopt,
                                   Location::current());
    }
  }
}

}  // namespace watchlab::course
