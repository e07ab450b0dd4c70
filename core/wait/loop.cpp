#include "core/wait/loop.hpp"

#include <optional>

#include "core/runtime/select.hpp"

namespace watchlab::wait {

bool wait_for_timer(runtime::Runtime& runtime, runtime::Timer& timer,
                    const runtime::StopToken& stop) {
  runtime::Select choice(runtime);
  choice.receive(stop.done(runtime));
  choice.receive(timer.channel());
  if (choice.wait() == 1) {
    return true;
  }
  if (!timer.stop()) {
    // It fired in the meantime, and its value lies in the channel: left there, it would end the
    // next wait on this timer before its time.
    runtime::Channel<runtime::TimePoint> channel = timer.channel();
    std::optional<runtime::TimePoint> fired;
    (void)channel.try_receive(fired);
  }
  return false;
}

bool sleep_unless_stopped(runtime::Runtime& runtime, runtime::Duration delay,
                          const runtime::StopToken& stop) {
  runtime::Timer timer(runtime, delay);
  return wait_for_timer(runtime, timer, stop);
}

void backoff_until(runtime::Runtime& runtime, BackoffManager& manager, Pause pause,
                   const runtime::StopToken& stop, const std::function<void()>& body) {
  // Both the pause's end and the stop can be ready: the token is asked again before each run, so
  // that the stop wins.
  while (!stop.stopped()) {
    runtime::Timer* timer = pause == Pause::NonSliding ? &manager.backoff() : nullptr;
    body();
    if (timer == nullptr) {
      timer = &manager.backoff();
    }
    if (!wait_for_timer(runtime, *timer, stop)) {
      return;
    }
  }
}

void jitter_until(runtime::Runtime& runtime, const JitterOptions& options,
                  const runtime::StopToken& stop, const std::function<void()>& body) {
  JitteredBackoffManager manager(runtime, options.period, options.factor);
  backoff_until(runtime, manager, options.pause, stop, body);
}

void until(runtime::Runtime& runtime, runtime::Duration period, const runtime::StopToken& stop,
           const std::function<void()>& body) {
  jitter_until(runtime, {.period = period}, stop, body);
}

void non_sliding_until(runtime::Runtime& runtime, runtime::Duration period,
                       const runtime::StopToken& stop, const std::function<void()>& body) {
  jitter_until(runtime, {.period = period, .pause = Pause::NonSliding}, stop, body);
}

bool poll_immediate_until(runtime::Runtime& runtime, runtime::Duration interval,
                          const runtime::StopToken& stop, const std::function<bool()>& condition) {
  if (condition()) {
    return true;
  }
  runtime::Ticker ticker(runtime, interval);
  bool held = false;
  while (!held && !stop.stopped()) {
    runtime::Select choice(runtime);
    choice.receive(stop.done(runtime));
    choice.receive(ticker.channel());
    if (choice.wait() == 0) {
      break;
    }
    // Both were ready and the tick was picked: a stop that is there wins all the same.
    held = !stop.stopped() && condition();
  }
  ticker.stop();
  return held;
}

}  // namespace watchlab::wait
