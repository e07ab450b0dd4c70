#include "core/runtime/channel.hpp"

#include <memory>

#include "core/runtime/atomic.hpp"
#include "core/runtime/ensure.hpp"
#include "core/runtime/select.hpp"
#include "core/runtime/wait_group.hpp"
#include "tests/core/runtime/conformance/conformance.hpp"

namespace watchlab::conformance {
namespace {

using namespace runtime;

void an_unbuffered_send_waits_for_a_receiver(Runtime& runtime) {
  Channel<int> channel(runtime, 0);
  Atomic<bool> sent(runtime, false);
  const Task sender = spawn(runtime, "sender", [&] {
    channel.send(7);
    sent.store(true);
  });
  settle(runtime);
  ensure(!sent.load(), "an unbuffered send did not wait");
  ensure(channel.size() == 0, "an unbuffered channel stored a value");
  ensure(channel.receive() == 7, "the value changed on its way");
  sender.join();
}

void a_buffer_keeps_the_order(Runtime& runtime) {
  Channel<int> channel(runtime, 3);
  for (const int value : {1, 2, 3}) {
    channel.send(value);
  }
  ensure(channel.size() == 3, "the size is not the number of values in the buffer");
  for (const int value : {1, 2, 3}) {
    ensure(channel.receive() == value, "the buffer changed the order");
  }
}

void a_send_to_a_full_buffer_waits_for_room(Runtime& runtime) {
  Channel<int> channel(runtime, 2);
  Atomic<int> sent(runtime, 0);
  const Task sender = spawn(runtime, "sender", [&] {
    for (const int value : {1, 2, 3, 4}) {
      channel.send(value);
      sent.fetch_add(1);
    }
  });
  settle(runtime);
  ensure(sent.load() == 2, "a send to a full buffer did not wait");
  for (const int value : {1, 2, 3, 4}) {
    ensure(channel.receive() == value, "a waiting sender's value came out of order");
  }
  sender.join();
}

/// Two senders and two receivers; every value must arrive exactly once.
void pass_values(Runtime& runtime, std::size_t capacity) {
  Channel<int> channel(runtime, capacity);
  Atomic<int> sum(runtime, 0);
  WaitGroup senders(runtime);
  WaitGroup receivers(runtime);
  for (const int first : {1, 100}) {
    senders.start("sender", [&, first] {
      for (int i = 0; i < 3; ++i) {
        channel.send(first + i);
      }
    });
    receivers.start("receiver", [&] {
      while (const std::optional<int> value = channel.receive()) {
        sum.fetch_add(*value);
      }
    });
  }
  senders.wait();
  channel.close();
  receivers.wait();
  ensure(sum.load() == 6 + 303, "a value was lost or came twice");
}

void an_unbuffered_channel_loses_nothing(Runtime& runtime) { pass_values(runtime, 0); }

void a_buffered_channel_loses_nothing(Runtime& runtime) { pass_values(runtime, 2); }

void a_sender_keeps_its_own_order(Runtime& runtime) {
  Channel<int> channel(runtime, 1);
  WaitGroup senders(runtime);
  for (const int first : {0, 10}) {
    senders.start("sender", [&, first] {
      for (int i = 0; i < 4; ++i) {
        channel.send(first + i);
      }
    });
  }
  int next_low = 0;
  int next_high = 10;
  for (int i = 0; i < 8; ++i) {
    const int value = channel.receive().value();
    int& next = value < 10 ? next_low : next_high;
    ensure(value == next, "values of one sender arrived out of order");
    ++next;
  }
  senders.wait();
}

void try_send_needs_room_or_a_waiting_receiver(Runtime& runtime) {
  Channel<int> buffered(runtime, 1);
  ensure(buffered.try_send(1), "try_send refused a free buffer");
  ensure(!buffered.try_send(2), "try_send overran the buffer");
  Channel<int> unbuffered(runtime, 0);
  ensure(!unbuffered.try_send(1), "try_send found a receiver where none is");
}

void try_send_reaches_a_waiting_receiver(Runtime& runtime) {
  Channel<int> channel(runtime, 0);
  Atomic<int> got(runtime, 0);
  const Task receiver =
      spawn(runtime, "receiver", [&] { got.store(channel.receive().value_or(-1)); });
  settle(runtime);
  while (!channel.try_send(5)) {
    runtime.yield(Location::current());
  }
  receiver.join();
  ensure(got.load() == 5, "the receiver got something else");
}

void try_receive_needs_a_value_or_a_waiting_sender(Runtime& runtime) {
  Channel<int> channel(runtime, 0);
  std::optional<int> value;
  ensure(!channel.try_receive(value), "try_receive found a sender where none is");
  const Task sender = spawn(runtime, "sender", [&] { channel.send(5); });
  settle(runtime);
  while (!channel.try_receive(value)) {
    runtime.yield(Location::current());
  }
  ensure(value == 5, "try_receive got something else");
  sender.join();
}

void values_are_moved_not_copied(Runtime& runtime) {
  Channel<std::unique_ptr<int>> channel(runtime, 0);
  const Task sender = spawn(runtime, "sender", [&] { channel.send(std::make_unique<int>(4)); });
  const std::optional<std::unique_ptr<int>> value = channel.receive();
  ensure(value && **value == 4, "the value did not arrive");
  sender.join();
}

void copies_of_a_handle_are_the_same_channel(Runtime& runtime) {
  const Channel<int> channel(runtime, 1);
  Channel<int> copy = channel;
  copy.send(1);
  ensure(channel.size() == 1, "a copy is another channel");
  ensure(copy == channel, "a copy compares unequal");
  ensure(Channel<int>::nil(runtime).is_nil(), "the nil channel is not nil");
}

void a_channel_that_was_not_made_is_the_nil_channel(Runtime& runtime) {
  Channel<int> nil;
  ensure(nil.is_nil() && nil == Channel<int>::nil(runtime), "another channel than the nil one");
  std::optional<int> value;
  ensure(!nil.try_send(1), "try_send found room in the nil channel");
  ensure(!nil.try_receive(value), "try_receive found a value in the nil channel");
  ensure(nil.size() == 0, "there is a value in the nil channel");
  ensure(panics([&] { nil.close(); }), "closing the nil channel went through");
  Select nothing(runtime);
  nothing.receive(nil, value).send(nil, 1);
  ensure(!nothing.poll(), "an arm of the nil channel happened");
  const Channel<int> other(runtime, 1);
  other.send(7);
  Select choice(runtime);
  choice.receive(nil).send(nil, 1).receive(other, value);
  ensure(choice.wait() == 2 && value == 7, "an arm of the nil channel happened");
}

/// The receiver of the last value may let go of the channel while the other side is still on its
/// way out of it.
void a_channel_may_go_once_its_last_value_has_come(Runtime& runtime) {
  WaitGroup group(runtime);
  for (int i = 0; i < 3; ++i) {
    Channel<int> forth(runtime, 0);
    Channel<int> back(runtime, 0);
    group.start("partner", [&forth, &back] {
      const int value = forth.receive().value();
      back.send(value);
    });
    forth.send(i);
    ensure(back.receive() == i, "the value changed on its way");
  }
  group.wait();
}

std::string whose_value_comes_first_is_open(Runtime& runtime) {
  Channel<std::string> channel(runtime, 0);
  WaitGroup senders(runtime);
  for (const char* name : {"a", "b"}) {
    senders.start(name, [&, name] { channel.send(name); });
  }
  std::string order = channel.receive().value();
  order += channel.receive().value();
  senders.wait();
  return order;
}

void receiving_from_nil_never_ends(Runtime& runtime) { Channel<int>::nil(runtime).receive(); }

void sending_to_nil_never_ends(Runtime& runtime) { Channel<int>::nil(runtime).send(1); }

void receiving_from_no_channel_never_ends(Runtime&) { Channel<int>().receive(); }

void sending_to_no_channel_never_ends(Runtime&) { Channel<int>().send(1); }

void sending_without_a_receiver_never_ends(Runtime& runtime) { Channel<int>(runtime, 0).send(1); }

}  // namespace

Group channels() {
  return {
      .name = "channel",
      .claims =
          {{"an_unbuffered_send_waits_for_a_receiver", an_unbuffered_send_waits_for_a_receiver},
           {"a_buffer_keeps_the_order", a_buffer_keeps_the_order},
           {"a_send_to_a_full_buffer_waits_for_room", a_send_to_a_full_buffer_waits_for_room},
           {"an_unbuffered_channel_loses_nothing", an_unbuffered_channel_loses_nothing},
           {"a_buffered_channel_loses_nothing", a_buffered_channel_loses_nothing},
           {"a_sender_keeps_its_own_order", a_sender_keeps_its_own_order},
           {"try_send_needs_room_or_a_waiting_receiver", try_send_needs_room_or_a_waiting_receiver},
           {"try_send_reaches_a_waiting_receiver", try_send_reaches_a_waiting_receiver},
           {"try_receive_needs_a_value_or_a_waiting_sender",
            try_receive_needs_a_value_or_a_waiting_sender},
           {"values_are_moved_not_copied", values_are_moved_not_copied},
           {"copies_of_a_handle_are_the_same_channel", copies_of_a_handle_are_the_same_channel},
           {"a_channel_that_was_not_made_is_the_nil_channel",
            a_channel_that_was_not_made_is_the_nil_channel},
           {"a_channel_may_go_once_its_last_value_has_come",
            a_channel_may_go_once_its_last_value_has_come}},
      .choices = {{"whose_value_comes_first_is_open",
                   whose_value_comes_first_is_open,
                   {"ab", "ba"}}},
      .deadlocks = {{"receiving_from_nil_never_ends", receiving_from_nil_never_ends},
                    {"sending_to_nil_never_ends", sending_to_nil_never_ends},
                    {"receiving_from_no_channel_never_ends", receiving_from_no_channel_never_ends},
                    {"sending_to_no_channel_never_ends", sending_to_no_channel_never_ends},
                    {"sending_without_a_receiver_never_ends",
                     sending_without_a_receiver_never_ends}},
  };
}

}  // namespace watchlab::conformance
