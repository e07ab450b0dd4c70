#include "core/watch/broadcaster.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "core/runtime/atomic.hpp"
#include "core/runtime/select.hpp"
#include "core/runtime/task.hpp"
#include "tests/core/watch/events.hpp"
#include "tests/support/campaign.hpp"

namespace watchlab::tests {

using runtime::Runtime;
using runtime::Task;
using watch::Broadcaster;
using watch::Event;
using watch::FullChannelBehavior;
using watch::Watcher;

BOOST_AUTO_TEST_SUITE(broadcaster_test)

namespace {

std::shared_ptr<Watcher> watch_of(Broadcaster& broadcaster) { return *broadcaster.watch(); }

void put(Broadcaster& broadcaster, const Event& event) {
  expect(broadcaster.action(event).ok(), "the broadcaster takes events");
}

void put_many(Broadcaster& broadcaster, int count) {
  for (int i = 0; i < count; ++i) {
    put(broadcaster, added("a"));
  }
}

auto count_of(const std::string& text, char sign) {
  return std::count(text.begin(), text.end(), sign);
}

}  // namespace

// Mirrors TestBroadcaster.
BOOST_AUTO_TEST_CASE(every_watcher_sees_every_event_in_the_same_order) {
  holds_everywhere([](Runtime& runtime) {
    Broadcaster broadcaster(runtime);
    std::vector<std::string> seen(3);
    std::vector<Task> readers;
    for (std::string& text : seen) {
      readers.push_back(runtime::spawn(runtime, "reader", [watcher = watch_of(broadcaster), &text] {
        text = read_all(watcher->result_channel());
      }));
    }
    const Task other = runtime::spawn(runtime, "other", [&] { put(broadcaster, added("other")); });
    put(broadcaster, added("a"));
    put(broadcaster, modified("a", "2"));
    put(broadcaster, deleted("a", "3"));
    other.join();
    broadcaster.shutdown();
    for (std::size_t i = 0; i < seen.size(); ++i) {
      readers[i].join();
      expect_equal(seen[i], seen[0]);
    }
    expect(seen[0] == "ADDED other@1,ADDED a@1,MODIFIED a@2,DELETED a@3" ||
               seen[0] == "ADDED a@1,ADDED other@1,MODIFIED a@2,DELETED a@3" ||
               seen[0] == "ADDED a@1,MODIFIED a@2,ADDED other@1,DELETED a@3" ||
               seen[0] == "ADDED a@1,MODIFIED a@2,DELETED a@3,ADDED other@1",
           seen[0]);
  });
}

BOOST_AUTO_TEST_CASE(a_new_watcher_sees_later_events_only) {
  holds_everywhere([](Runtime& runtime) {
    Broadcaster broadcaster(runtime, {.queue_length = 10});
    put(broadcaster, added("before"));
    const auto watcher = watch_of(broadcaster);
    put(broadcaster, added("after"));
    broadcaster.shutdown();
    expect_equal(read_all(watcher->result_channel()), "ADDED after@1");
  });
}

BOOST_AUTO_TEST_CASE(a_prefix_comes_first_and_only_to_the_new_watcher) {
  holds_everywhere([](Runtime& runtime) {
    Broadcaster broadcaster(runtime, {.queue_length = 2});
    const auto old = watch_of(broadcaster);
    // Longer than the default queue, and there is still room for one more.
    const auto fresh = *broadcaster.watch_with_prefix({added("p"), added("q"), added("r")});
    put(broadcaster, added("after"));
    broadcaster.shutdown();
    expect_equal(read_all(fresh->result_channel()), "ADDED p@1,ADDED q@1,ADDED r@1,ADDED after@1");
    expect_equal(read_all(old->result_channel()), "ADDED after@1");
  });
}

BOOST_AUTO_TEST_CASE(even_an_empty_prefix_makes_room_for_one_event) {
  holds_everywhere([](Runtime& runtime) {
    Broadcaster broadcaster(runtime, {.queue_length = 0});
    const auto watcher = *broadcaster.watch_with_prefix({});
    put(broadcaster, added("a"));
    broadcaster.shutdown();
    expect_equal(read_all(watcher->result_channel()), "ADDED a@1");
  });
}

// Mirrors TestBroadcasterWatcherClose.
BOOST_AUTO_TEST_CASE(a_stopped_watcher_ends_and_the_others_continue) {
  holds_everywhere([](Runtime& runtime) {
    Broadcaster broadcaster(runtime, {.queue_length = 10});
    const auto one = watch_of(broadcaster);
    const auto two = watch_of(broadcaster);
    put(broadcaster, added("a"));
    // An event on its way to a watcher that stops may be lost, so wait for it.
    expect_equal(next(*one), "ADDED a@1");
    one->stop();
    one->stop();
    put(broadcaster, added("b"));
    expect_equal(next(*one), "closed");
    broadcaster.shutdown();
    expect_equal(read_all(two->result_channel()), "ADDED a@1,ADDED b@1");
    two->stop();
  });
}

// Mirrors TestBroadcasterWatcherClose.
BOOST_AUTO_TEST_CASE(a_stop_ends_a_quiet_watcher_a_shutdown_the_others_and_more_stops_nothing) {
  holds_everywhere([](Runtime& runtime) {
    Broadcaster broadcaster(runtime, {.queue_length = 0});
    const auto stopped = watch_of(broadcaster);
    const auto shut_down = watch_of(broadcaster);
    stopped->stop();
    expect_equal(next(*stopped), "closed");
    runtime::Channel<Event> events = shut_down->result_channel();
    std::optional<Event> event;
    expect(!events.try_receive(event), "the stop of one leaves the other open");
    broadcaster.shutdown();
    for (const auto& watcher : {stopped, shut_down}) {
      expect_equal(next(*watcher), "closed");
      watcher->stop();
      watcher->stop();
      expect_equal(next(*watcher), "closed");
    }
  });
}

// Mirrors TestBroadcasterWatcherStopDeadlock; the bug B85.
BOOST_AUTO_TEST_CASE(a_watcher_that_stops_while_an_event_waits_for_it_does_not_block_the_others) {
  holds_everywhere([](Runtime& runtime) {
    Broadcaster broadcaster(runtime);
    const auto one = watch_of(broadcaster);
    const auto two = watch_of(broadcaster);
    const Task stops_both = runtime::spawn(runtime, "stops_both", [&] {
      // The watcher that gets the event first stops the other, to whom the loop then wants to send.
      runtime::Select choice(runtime);
      choice.receive(one->result_channel()).receive(two->result_channel());
      (choice.wait() == 0 ? two : one)->stop();
      one->stop();
      two->stop();
    });
    put(broadcaster, added("a"));
    stops_both.join();
    broadcaster.shutdown();
    expect_equal(next(*one), "closed");
    expect_equal(next(*two), "closed");
  });
}

// Mirrors TestBroadcasterDropIfChannelFull.
BOOST_AUTO_TEST_CASE(a_full_watcher_misses_events_and_the_others_do_not) {
  holds_everywhere([](Runtime& runtime) {
    Broadcaster broadcaster(
        runtime,
        {.queue_length = 1, .full_channel_behavior = FullChannelBehavior::DropIfChannelFull});
    const auto lazy = watch_of(broadcaster);
    const auto busy = watch_of(broadcaster);
    for (const std::string_view name : {"a", "b", "c"}) {
      put(broadcaster, added(name));
      expect_equal(next(*busy), text_of(added(name)));
    }
    broadcaster.shutdown();
    expect_equal(read_all(lazy->result_channel()), "ADDED a@1");
    expect_equal(next(*busy), "closed");
  });
}

BOOST_AUTO_TEST_CASE(every_sender_waits_for_a_full_watcher_otherwise) {
  holds_everywhere([](Runtime& runtime) {
    Broadcaster broadcaster(runtime, {.queue_length = 1});
    const auto watcher = watch_of(broadcaster);
    put_many(broadcaster, 2);
    runtime::Atomic<bool> down(runtime, false);
    const Task shutdown = runtime::spawn(runtime, "shutdown", [&] {
      broadcaster.shutdown();
      down.store(true);
    });
    runtime.yield(runtime::Location::current());
    expect(!down.load(), "the second event has not reached the watcher");
    expect_equal(read_all(watcher->result_channel()), "ADDED a@1,ADDED a@1");
    shutdown.join();
  });
}

BOOST_AUTO_TEST_CASE(the_incoming_queue_holds_25_events) {
  holds_everywhere([](Runtime& runtime) {
    Broadcaster broadcaster(runtime);
    const auto watcher = watch_of(broadcaster);
    // One of them is in the hand of the loop, which waits for the reader.
    put_many(broadcaster, 26);
    expect(!*broadcaster.action_or_drop(added("dropped")), "there is no room for more");
    watcher->stop();
    broadcaster.shutdown();
  });
}

BOOST_AUTO_TEST_CASE(a_long_queue_holds_as_many_as_it_says_on_both_sides) {
  holds_everywhere([](Runtime& runtime) {
    Broadcaster broadcaster(runtime, watch::long_queue(3, FullChannelBehavior::WaitIfChannelFull));
    const auto watcher = watch_of(broadcaster);
    put_many(broadcaster, 3 + 1 + 3);
    expect(!*broadcaster.action_or_drop(added("dropped")), "there is no room for more");
    watcher->stop();
    broadcaster.shutdown();
    expect_equal(count_of(read_all(watcher->result_channel()), '@'), 3);
  });
}

BOOST_AUTO_TEST_CASE(what_is_not_dropped_arrives) {
  holds_everywhere([](Runtime& runtime) {
    Broadcaster broadcaster(runtime, {.queue_length = 1});
    const auto watcher = watch_of(broadcaster);
    expect(*broadcaster.action_or_drop(added("a")), "there is room");
    expect_equal(next(*watcher), "ADDED a@1");
    broadcaster.shutdown();
  });
}

BOOST_AUTO_TEST_CASE(a_shutdown_comes_back_when_every_watcher_has_ended) {
  holds_everywhere([](Runtime& runtime) {
    Broadcaster broadcaster(runtime);
    const auto watcher = watch_of(broadcaster);
    broadcaster.shutdown();
    runtime::Channel<Event> events = watcher->result_channel();
    std::optional<Event> event;
    expect(events.try_receive(event) && !event, "the channel is closed already");
  });
}

// Mirrors TestBroadcasterWatchAfterShutdown.
BOOST_AUTO_TEST_CASE(watching_after_a_shutdown_fails_and_older_watchers_have_ended) {
  holds_everywhere([](Runtime& runtime) {
    Broadcaster broadcaster(runtime, {.queue_length = 1});
    const auto watcher = watch_of(broadcaster);
    broadcaster.shutdown();
    expect_equal(next(*watcher), "closed");
    const auto late = broadcaster.watch();
    expect(!late.ok(), "no task would ever send to it");
    expect(late.error().kind == api::ErrorKind::Closed, "the kind says so");
    expect_equal(late.error().message, "broadcaster already stopped");
    const auto with_prefix = broadcaster.watch_with_prefix({added("a"), added("b")});
    expect(!with_prefix.ok(), "a prefix changes nothing");
    expect_equal(with_prefix.error().message, "broadcaster already stopped");
    watcher->stop();
    broadcaster.shutdown();
  });
}

// Mirrors TestBroadcasterSendEventAfterShutdown.
BOOST_AUTO_TEST_CASE(sending_after_a_shutdown_fails_without_a_panic) {
  holds_everywhere([](Runtime& runtime) {
    Broadcaster broadcaster(
        runtime,
        {.queue_length = 1, .full_channel_behavior = FullChannelBehavior::DropIfChannelFull});
    const auto watcher = watch_of(broadcaster);
    broadcaster.shutdown();
    const auto sent = broadcaster.action(added("a"));
    const auto dropped = broadcaster.action_or_drop(added("a"));
    expect(sent.error().kind == api::ErrorKind::Closed, "action");
    expect(dropped.error().kind == api::ErrorKind::Closed, "action_or_drop");
    expect_equal(sent.error().message, "broadcaster already stopped");
    expect_equal(dropped.error().message, "broadcaster already stopped");
    expect_equal(read_all(watcher->result_channel()), "");
  });
}

// Mirrors TestBroadcasterShutdownRace; the bug B86.
BOOST_AUTO_TEST_CASE(a_shutdown_may_come_between_any_two_steps_of_the_others) {
  holds_everywhere([](Runtime& runtime) {
    Broadcaster broadcaster(runtime, {.queue_length = 4});
    const auto watcher = watch_of(broadcaster);
    const Task sender = runtime::spawn(runtime, "sender", [&] {
      const bool first = broadcaster.action(added("a")).ok();
      const bool second = broadcaster.action_or_drop(added("b")).ok();
      expect(first || !second, "a broadcaster does not come back");
    });
    const Task joiner = runtime::spawn(runtime, "joiner", [&] {
      if (const auto late = broadcaster.watch(); late.ok()) {
        (*late)->stop();
      }
    });
    const Task stopper = runtime::spawn(runtime, "stopper", [&] { watcher->stop(); });
    broadcaster.shutdown();
    read_all(watcher->result_channel());
    for (const Task& task : {sender, joiner, stopper}) {
      task.join();
    }
  });
}

BOOST_AUTO_TEST_CASE(a_shutdown_first_distributes_what_was_put_in_before) {
  holds_everywhere([](Runtime& runtime) {
    Broadcaster broadcaster(runtime, {.queue_length = 20});
    const auto watcher = watch_of(broadcaster);
    put_many(broadcaster, 20);
    broadcaster.shutdown();
    expect_equal(static_cast<int>(watcher->result_channel().size()), 20);
    expect_equal(count_of(read_all(watcher->result_channel()), '@'), 20);
  });
}

// The live bug B87.
BOOST_AUTO_TEST_CASE(a_reader_who_puts_events_in_while_its_own_queue_is_full_blocks_every_task) {
  fails_somewhere(
      [](Runtime& runtime) {
        Broadcaster broadcaster(runtime, {.queue_length = 0, .incoming_length = 0});
        const auto watcher = watch_of(broadcaster);
        put_many(broadcaster, 3);
      },
      "deadlock", "broadcaster");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
