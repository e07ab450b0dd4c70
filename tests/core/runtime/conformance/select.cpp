#include "core/runtime/select.hpp"

#include "core/runtime/atomic.hpp"
#include "core/runtime/ensure.hpp"
#include "core/runtime/wait_group.hpp"
#include "tests/core/runtime/conformance/conformance.hpp"

namespace watchlab::conformance {
namespace {

using namespace runtime;

void the_ready_arm_happens_and_no_other(Runtime& runtime) {
  Channel<int> empty(runtime, 1);
  Channel<int> full(runtime, 1);
  full.send(3);
  std::optional<int> from_empty;
  std::optional<int> from_full;
  Select choice(runtime);
  choice.receive(empty, from_empty).receive(full, from_full).send(full, 9);
  const std::size_t arm = choice.wait();
  ensure(arm == 1, "an arm that was not ready happened");
  ensure(from_full == 3 && !from_empty, "the value went to the wrong place");
  ensure(full.size() == 0, "a second arm happened");
}

void an_arm_that_was_not_taken_keeps_its_value(Runtime& runtime) {
  Channel<int> left(runtime, 1);
  Channel<int> right(runtime, 1);
  left.send(1);
  right.send(2);
  Select choice(runtime);
  choice.receive(left).receive(right);
  choice.wait();
  const std::size_t in_left = left.size();
  const std::size_t in_right = right.size();
  ensure(in_left + in_right == 1, "a select took both values or none");
}

void nil_is_never_ready(Runtime& runtime) {
  const Channel<int> nil = Channel<int>::nil(runtime);
  Channel<int> ready(runtime, 1);
  ready.send(1);
  Select choice(runtime);
  choice.receive(nil).send(nil, 1).receive(ready);
  ensure(choice.wait() == 2, "an arm on the nil channel happened");
  Select none(runtime);
  none.receive(nil).send(nil, 1);
  ensure(!none.poll().has_value(), "an arm on the nil channel was ready");
}

void a_poll_without_a_ready_arm_comes_back_empty(Runtime& runtime) {
  Channel<int> empty(runtime, 1);
  Channel<int> full(runtime, 1);
  full.send(1);
  Select choice(runtime);
  choice.receive(empty).send(full, 2);
  ensure(!choice.poll().has_value(), "a poll found an arm where none is ready");
  ensure(full.size() == 1, "a poll that found nothing did something");
}

/// A select that has a ready arm never goes to sleep at the others.
void a_poll_does_not_meet_a_select_that_is_ready(Runtime& runtime) {
  Channel<int> events(runtime, 0, "events");
  Channel<int> done(runtime, 0, "done");
  done.close();
  WaitGroup group(runtime);
  group.start("receiver", [&runtime, events, done]() mutable {
    Select choice(runtime);
    std::optional<int> value;
    ensure(choice.receive(events, value).receive(done).wait() == 1, "an arm that no task served");
  });
  Select sender(runtime);
  ensure(!sender.send(events, 1).poll().has_value(), "a poll met a select that was ready");
  group.wait();
}

void a_waiting_select_is_woken_by_any_of_its_channels(Runtime& runtime) {
  Channel<int> left(runtime, 0);
  Channel<int> right(runtime, 0);
  Atomic<int> sum(runtime, 0);
  const Task chooser = spawn(runtime, "chooser", [&] {
    for (int i = 0; i < 2; ++i) {
      std::optional<int> value;
      Select choice(runtime);
      choice.receive(left, value).receive(right, value);
      choice.wait();
      sum.fetch_add(value.value());
    }
  });
  settle(runtime);
  right.send(1);
  left.send(2);
  chooser.join();
  ensure(sum.load() == 3, "a value was lost");
}

void a_waiting_select_is_woken_by_closing(Runtime& runtime) {
  Channel<Unit> done(runtime, 0);
  Channel<int> events(runtime, 0);
  Atomic<int> arm(runtime, -1);
  const Task chooser = spawn(runtime, "chooser", [&] {
    Select choice(runtime);
    choice.receive(events).receive(done);
    arm.store(static_cast<int>(choice.wait()));
  });
  settle(runtime);
  done.close();
  chooser.join();
  ensure(arm.load() == 1, "the wrong arm happened");
}

void a_send_arm_on_a_closed_channel_panics(Runtime& runtime) {
  Channel<int> closed(runtime, 1);
  closed.close();
  Select at_once(runtime);
  at_once.receive(Channel<int>::nil(runtime)).send(closed, 1);
  ensure(panics([&] { at_once.wait(); }), "a select sent into a closed channel");

  Channel<int> open(runtime, 0);
  Atomic<bool> panicked(runtime, false);
  const Task chooser = spawn(runtime, "chooser", [&] {
    Select later(runtime);
    later.receive(Channel<int>::nil(runtime)).send(open, 1);
    panicked.store(panics([&] { later.wait(); }));
  });
  settle(runtime);
  open.close();
  chooser.join();
  ensure(panicked.load(), "a waiting send arm outlived its channel's closing");
}

void a_select_does_not_meet_itself(Runtime& runtime) {
  Channel<int> channel(runtime, 0);
  std::optional<int> value;
  Select alone(runtime);
  alone.send(channel, 1).receive(channel, value);
  ensure(!alone.poll().has_value(), "a select sent to itself");

  const Task sender = spawn(runtime, "sender", [&] { channel.send(2); });
  Select both(runtime);
  both.receive(channel, value).receive(channel, value);
  both.wait();
  ensure(value == 2, "the same channel in two arms went wrong");
  sender.join();
}

void selects_that_send_and_receive_lose_nothing(Runtime& runtime) {
  Channel<int> left(runtime, 0);
  Channel<int> right(runtime, 0);
  Channel<Unit> done(runtime, 0);
  Atomic<int> received(runtime, 0);
  WaitGroup senders(runtime);
  WaitGroup receivers(runtime);
  for (int task = 0; task < 2; ++task) {
    senders.start("sender", [&] {
      for (int i = 0; i < 4; ++i) {
        Select choice(runtime);
        choice.send(left, 1).send(right, 1);
        choice.wait();
      }
    });
    receivers.start("receiver", [&] {
      for (;;) {
        std::optional<int> value;
        Select choice(runtime);
        choice.receive(right, value).receive(left, value).receive(done);
        if (choice.wait() == 2) {
          return;
        }
        received.fetch_add(*value);
      }
    });
  }
  senders.wait();
  done.close();
  receivers.wait();
  ensure(received.load() == 8, "a value was lost or came twice");
}

std::string ready_arms_are_drawn(Runtime& runtime) {
  Channel<int> left(runtime, 1);
  Channel<int> right(runtime, 1);
  left.send(1);
  right.send(1);
  Select choice(runtime);
  choice.receive(left).receive(right);
  return choice.wait() == 0 ? "left" : "right";
}

std::string two_selects_meet_once(Runtime& runtime) {
  Channel<int> to_a(runtime, 0);
  Channel<int> to_b(runtime, 0);
  Atomic<int> a_sent(runtime, 0);
  Atomic<int> b_sent(runtime, 0);
  WaitGroup group(runtime);
  group.start("a", [&] {
    Select choice(runtime);
    choice.send(to_b, 1).receive(to_a);
    a_sent.store(choice.wait() == 0 ? 1 : 0);
  });
  group.start("b", [&] {
    Select choice(runtime);
    choice.send(to_a, 1).receive(to_b);
    b_sent.store(choice.wait() == 0 ? 1 : 0);
  });
  group.wait();
  const int by_a = a_sent.load();
  const int by_b = b_sent.load();
  ensure(by_a + by_b == 1, "two selects did not agree on who sends");
  return by_a == 1 ? "a sent" : "b sent";
}

std::string a_value_or_the_end_first_is_open(Runtime& runtime) {
  Channel<Unit> done(runtime, 0);
  Channel<int> events(runtime, 1);
  WaitGroup group(runtime);
  group.start("stopper", [&] { done.close(); });
  group.start("source", [&] { events.send(1); });
  Select choice(runtime);
  choice.receive(done).receive(events);
  const std::size_t arm = choice.wait();
  group.wait();
  return arm == 0 ? "end" : "value";
}

void a_select_on_nil_alone_never_ends(Runtime& runtime) {
  Select choice(runtime);
  choice.receive(Channel<int>::nil(runtime));
  choice.wait();
}

}  // namespace

Group selects() {
  return {
      .name = "select",
      .claims = {{"the_ready_arm_happens_and_no_other", the_ready_arm_happens_and_no_other},
                 {"an_arm_that_was_not_taken_keeps_its_value",
                  an_arm_that_was_not_taken_keeps_its_value},
                 {"nil_is_never_ready", nil_is_never_ready},
                 {"a_poll_without_a_ready_arm_comes_back_empty",
                  a_poll_without_a_ready_arm_comes_back_empty},
                 {"a_poll_does_not_meet_a_select_that_is_ready",
                  a_poll_does_not_meet_a_select_that_is_ready},
                 {"a_waiting_select_is_woken_by_any_of_its_channels",
                  a_waiting_select_is_woken_by_any_of_its_channels},
                 {"a_waiting_select_is_woken_by_closing", a_waiting_select_is_woken_by_closing},
                 {"a_send_arm_on_a_closed_channel_panics", a_send_arm_on_a_closed_channel_panics},
                 {"a_select_does_not_meet_itself", a_select_does_not_meet_itself},
                 {"selects_that_send_and_receive_lose_nothing",
                  selects_that_send_and_receive_lose_nothing}},
      .choices = {{"ready_arms_are_drawn", ready_arms_are_drawn, {"left", "right"}, true},
                  {"two_selects_meet_once", two_selects_meet_once, {"a sent", "b sent"}},
                  {"a_value_or_the_end_first_is_open",
                   a_value_or_the_end_first_is_open,
                   {"end", "value"}}},
      .deadlocks = {{"a_select_on_nil_alone_never_ends", a_select_on_nil_alone_never_ends}},
  };
}

}  // namespace watchlab::conformance
