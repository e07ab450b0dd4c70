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
  const bool is_too_much = ++tests_steps_ > kTestsStepsMax || tests_bytes_ > kTestsBytesMax;
  if (serves_ && is_too_much && last_step_) {
    throw runtime::Panic(std::string(kTooLong));
  }
}

bool RemoteCode::is_in_time(TimePoint deadline) const {
  return !last_step_ || deadline <= began_ + kTestsTimeMax;
}

bool RemoteCode::fires_in(Duration delay) {
  return is_in_time(runtime().now() + std::min(delay, 2 * kTestsTimeMax));
}

void RemoteCode::make_timer(std::uint64_t number, std::uint64_t channel,
                            std::optional<Duration> delay, std::optional<Duration> period,
                            Location here) {
  const auto target = at<runtime::ChannelBackend>(channel);
  primitive_at(channel).has_moments = true;
  if (last_step_ && delay) {
    if (period) {
      tickers_[number] = {target, std::clamp(*period, Duration(1), 2 * kTestsTimeMax),
                          runtime().now() + std::min(*delay, 2 * kTestsTimeMax)};
      period.reset();
    }
    if (!fires_in(*delay)) {
      delay.reset();
    }
  }
  keep(number, {std::shared_ptr(runtime().make_timer(target, delay, period, here))});
}

bool RemoteCode::stop_timer(std::uint64_t timer, Location here) {
  const auto stopped = at<runtime::TimerBackend>(timer);
  tickers_.erase(timer);
  return stopped->stop(here);
}

bool RemoteCode::reset_timer(std::uint64_t timer, Duration delay, Location here) {
  const auto armed = at<runtime::TimerBackend>(timer);
  return fires_in(delay) ? armed->reset(delay, here) : armed->stop(here);
}

void RemoteCode::arm_tickers() {
  for (auto& [number, ticker] : tickers_) {
    auto& timer = at<runtime::TimerBackend>(number);
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
