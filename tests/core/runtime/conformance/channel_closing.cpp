#include "core/runtime/atomic.hpp"
#include "core/runtime/channel.hpp"
#include "core/runtime/ensure.hpp"
#include "core/runtime/wait_group.hpp"
#include "tests/core/runtime/conformance/conformance.hpp"

namespace watchlab::conformance {
namespace {

using namespace runtime;

void closing_reaches_every_waiter(Runtime& runtime) {
  Channel<Unit> done(runtime, 0);
  Atomic<int> delivered(runtime, 0);
  WaitGroup group(runtime);
  for (int task = 0; task < 3; ++task) {
    group.start("receiver", [&] {
      ensure(!done.receive().has_value(), "a closed channel gave a value");
      delivered.fetch_add(1);
    });
  }
  settle(runtime);
  ensure(delivered.load() == 0, "a receiver did not wait");
  done.close();
  group.wait();
  ensure(delivered.load() == 3, "a receiver was not notified");
}

void a_later_caller_finds_it_closed(Runtime& runtime) {
  Channel<Unit> done(runtime, 0);
  done.close();
  for (int i = 0; i < 2; ++i) {
    ensure(!done.receive().has_value(), "a closed channel gave a value");
  }
  std::optional<Unit> value = Unit{};
  ensure(done.try_receive(value), "a closed channel is not ready");
  ensure(!value, "a closed channel gave a value");
}

void values_come_before_the_end(Runtime& runtime) {
  Channel<int> channel(runtime, 2);
  channel.send(1);
  channel.send(2);
  channel.close();
  ensure(channel.receive() == 1, "closing lost a value");
  ensure(channel.receive() == 2, "closing lost a value");
  ensure(!channel.receive().has_value(), "a drained channel gave a value");
}

void sending_to_a_closed_channel_panics(Runtime& runtime) {
  Channel<int> channel(runtime, 1);
  channel.close();
  ensure(panics([&] { channel.send(1); }), "a send went into a closed channel");
  ensure(panics([&] { static_cast<void>(channel.try_send(1)); }), "a try_send went in");
}

void closing_makes_a_waiting_sender_panic(Runtime& runtime) {
  Channel<int> channel(runtime, 0);
  Atomic<bool> panicked(runtime, false);
  const Task sender =
      spawn(runtime, "sender", [&] { panicked.store(panics([&] { channel.send(1); })); });
  settle(runtime);
  channel.close();
  sender.join();
  ensure(panicked.load(), "a send outlived its channel's closing");
}

void closing_twice_panics(Runtime& runtime) {
  Channel<int> channel(runtime, 0);
  channel.close();
  ensure(panics([&] { channel.close(); }), "a second close went through");
}

void closing_nil_panics(Runtime& runtime) {
  Channel<int> channel = Channel<int>::nil(runtime);
  ensure(panics([&] { channel.close(); }), "closing the nil channel went through");
}

void what_was_done_before_closing_is_seen_after(Runtime& runtime) {
  Channel<Unit> done(runtime, 0);
  int result = 0;
  const Task worker = spawn(runtime, "worker", [&] {
    result = 5;
    done.close();
  });
  done.receive();
  ensure(result == 5, "closing did not publish what went before");
  worker.join();
}

}  // namespace

Group channel_closing() {
  return {
      .name = "channel_closing",
      .claims = {{"closing_reaches_every_waiter", closing_reaches_every_waiter},
                 {"a_later_caller_finds_it_closed", a_later_caller_finds_it_closed},
                 {"values_come_before_the_end", values_come_before_the_end},
                 {"sending_to_a_closed_channel_panics", sending_to_a_closed_channel_panics},
                 {"closing_makes_a_waiting_sender_panic", closing_makes_a_waiting_sender_panic},
                 {"closing_twice_panics", closing_twice_panics},
                 {"closing_nil_panics", closing_nil_panics},
                 {"what_was_done_before_closing_is_seen_after",
                  what_was_done_before_closing_is_seen_after}},
  };
}

}  // namespace watchlab::conformance
