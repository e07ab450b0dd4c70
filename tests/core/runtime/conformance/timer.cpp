#include "core/runtime/timer.hpp"

#include "core/runtime/ensure.hpp"
#include "core/runtime/select.hpp"
#include "core/runtime/task.hpp"
#include "tests/core/runtime/conformance/conformance.hpp"

namespace watchlab::conformance {
namespace {

using namespace runtime;
using namespace std::chrono_literals;

void wait_until_fired(Runtime& runtime, const Channel<TimePoint>& channel) {
  while (channel.size() == 0) {
    sleep_for(runtime, 1ms);
  }
}

void a_timer_fires_after_its_delay(Runtime& runtime) {
  const TimePoint due = runtime.now() + 2ms;
  const Timer timer(runtime, 2ms);
  Channel<TimePoint> channel = timer.channel();
  const TimePoint fired = channel.receive().value();
  ensure(fired >= due, "a timer fired early");
  ensure(runtime.now() >= fired, "a timer fired in the future");
}

void a_timer_without_delay_fires(Runtime& runtime) {
  const Timer at_once(runtime, 0ms);
  const Timer overdue(runtime, -5ms);
  Channel<TimePoint>(at_once.channel()).receive();
  Channel<TimePoint>(overdue.channel()).receive();
}

void stop_keeps_a_timer_from_firing(Runtime& runtime) {
  Timer far(runtime, 1h);
  ensure(far.stop(), "stop of an armed timer said it was too late");
  ensure(!far.stop(), "a second stop said it stopped something");
  Timer near(runtime, 10ms);
  const bool in_time = near.stop();
  settle(runtime);
  ensure(near.channel().size() == (in_time ? 0U : 1U), "stop said something else than it did");
}

void stop_after_firing_fails_and_leaves_the_value(Runtime& runtime) {
  Timer timer(runtime, 1ms);
  wait_until_fired(runtime, timer.channel());
  ensure(!timer.stop(), "stop of a fired timer said it was in time");
  ensure(timer.channel().size() == 1, "stop emptied the channel");
}

void reset_moves_an_armed_timer(Runtime& runtime) {
  Timer timer(runtime, 1h);
  const TimePoint start = runtime.now();
  ensure(timer.reset(1ms), "reset of an armed timer said it was not armed");
  Channel<TimePoint> channel = timer.channel();
  ensure(channel.receive().value() < start + 1h, "reset did not move the timer");
}

void reset_after_firing_leaves_the_old_value(Runtime& runtime) {
  Timer timer(runtime, 1ms);
  wait_until_fired(runtime, timer.channel());
  const TimePoint before = runtime.now();
  ensure(!timer.reset(1h), "reset of a fired timer said it was armed");
  Channel<TimePoint> channel = timer.channel();
  ensure(channel.receive().value() <= before, "the old value is gone");
  ensure(timer.stop(), "reset did not arm the timer");
}

void a_stopped_timer_can_be_armed_again(Runtime& runtime) {
  Timer timer(runtime, 1h);
  ensure(timer.stop(), "stop of an armed timer said it was too late");
  ensure(!timer.reset(1ms), "reset of a stopped timer said it was armed");
  Channel<TimePoint>(timer.channel()).receive();
}

void a_destroyed_timer_does_not_fire(Runtime& runtime) {
  Channel<TimePoint> channel;
  {
    const Timer timer(runtime, 10ms);
    channel = timer.channel();
  }
  const std::size_t before = channel.size();
  settle(runtime);
  ensure(channel.size() == before, "a timer fired after its end");
}

void a_timer_bounds_a_select(Runtime& runtime) {
  Channel<int> never(runtime, 0);
  const Timer timer(runtime, 1ms);
  Select choice(runtime);
  choice.receive(never).receive(timer.channel());
  ensure(choice.wait() == 1, "something came out of an empty channel");
}

void the_earlier_timer_fires_first(Runtime& runtime) {
  const Timer early(runtime, 1ms);
  const Timer late(runtime, 4ms);
  const TimePoint late_fired = Channel<TimePoint>(late.channel()).receive().value();
  const TimePoint early_fired = Channel<TimePoint>(early.channel()).receive().value();
  ensure(early_fired <= late_fired, "timers fired in the wrong order");
}

void a_ticker_drops_ticks_that_no_task_takes(Runtime& runtime) {
  Ticker ticker(runtime, 1ms);
  const TimePoint start = runtime.now();
  sleep_for(runtime, 8ms);
  wait_until_fired(runtime, ticker.channel());
  ensure(ticker.channel().size() == 1, "ticks piled up");
  ticker.stop();
  Channel<TimePoint> channel = ticker.channel();
  ensure(channel.receive().value() >= start, "a tick from before the start");
  ensure(channel.size() == 0, "a second tick was kept");
}

void a_ticker_continues(Runtime& runtime) {
  const TimePoint start = runtime.now();
  const Ticker ticker(runtime, 1ms);
  Channel<TimePoint> channel = ticker.channel();
  TimePoint last = start;
  for (int i = 0; i < 3; ++i) {
    const TimePoint tick = channel.receive().value();
    ensure(tick > last, "ticks do not advance");
    last = tick;
  }
  ensure(last >= start + 3ms, "three ticks came in less than three periods");
}

void a_stopped_ticker_is_silent(Runtime& runtime) {
  Ticker ticker(runtime, 1ms);
  Channel<TimePoint> channel = ticker.channel();
  channel.receive();
  ticker.stop();
  std::optional<TimePoint> last_tick;
  static_cast<void>(channel.try_receive(last_tick));
  settle(runtime);
  ensure(channel.size() == 0, "a stopped ticker ticked");
}

void a_ticker_needs_a_positive_period(Runtime& runtime) {
  ensure(panics([&] { const Ticker ticker(runtime, 0ms); }), "a ticker without period");
}

void a_timer_made_later_may_fire_earlier(Runtime& runtime) {
  const Timer late(runtime, 4ms);
  const Timer early(runtime, 1ms);
  Channel<TimePoint>(early.channel()).receive();
  ensure(late.channel().size() == 0, "timers fired in the order in which they were made");
}

void virtual_timers_fire_on_the_dot(Runtime& runtime) {
  const TimePoint start = runtime.now();
  const Timer timer(runtime, 7ms);
  ensure(Channel<TimePoint>(timer.channel()).receive() == start + 7ms, "not on the dot");
  const Ticker ticker(runtime, 5ms);
  Channel<TimePoint> ticks = ticker.channel();
  for (const Duration after : {12ms, 17ms, 22ms}) {
    ensure(ticks.receive() == start + after, "a tick off the beat");
  }
}

std::string stop_or_fire_first_is_open(Runtime& runtime) {
  Timer timer(runtime, 1ms);
  sleep_for(runtime, 1ms);
  const bool in_time = timer.stop();
  const bool fired = timer.channel().size() == 1;
  ensure(in_time != fired, "stop and channel disagree on whether the timer fired");
  return in_time ? "stopped" : "fired";
}

}  // namespace

Group timers() {
  return {
      .name = "timer",
      .claims = {{"a_timer_fires_after_its_delay", a_timer_fires_after_its_delay},
                 {"a_timer_without_delay_fires", a_timer_without_delay_fires},
                 {"stop_keeps_a_timer_from_firing", stop_keeps_a_timer_from_firing},
                 {"stop_after_firing_fails_and_leaves_the_value",
                  stop_after_firing_fails_and_leaves_the_value},
                 {"reset_moves_an_armed_timer", reset_moves_an_armed_timer},
                 {"reset_after_firing_leaves_the_old_value",
                  reset_after_firing_leaves_the_old_value},
                 {"a_stopped_timer_can_be_armed_again", a_stopped_timer_can_be_armed_again},
                 {"a_destroyed_timer_does_not_fire", a_destroyed_timer_does_not_fire},
                 {"a_timer_bounds_a_select", a_timer_bounds_a_select},
                 {"the_earlier_timer_fires_first", the_earlier_timer_fires_first},
                 {"a_ticker_drops_ticks_that_no_task_takes",
                  a_ticker_drops_ticks_that_no_task_takes},
                 {"a_ticker_continues", a_ticker_continues},
                 {"a_stopped_ticker_is_silent", a_stopped_ticker_is_silent},
                 {"a_ticker_needs_a_positive_period", a_ticker_needs_a_positive_period}},
      .choices = {{"stop_or_fire_first_is_open", stop_or_fire_first_is_open, {"fired", "stopped"}}},
      .exact = {{"a_timer_made_later_may_fire_earlier", a_timer_made_later_may_fire_earlier},
                {"virtual_timers_fire_on_the_dot", virtual_timers_fire_on_the_dot}},
  };
}

}  // namespace watchlab::conformance
