#include "core/watch/fake_watcher.hpp"

#include <boost/test/unit_test.hpp>

#include "core/runtime/atomic.hpp"
#include "core/runtime/recover.hpp"
#include "core/runtime/task.hpp"
#include "tests/core/watch/events.hpp"
#include "tests/support/campaign.hpp"

namespace watchlab::tests {

using runtime::Atomic;
using runtime::Runtime;
using runtime::Task;
using watch::FakeWatcher;

BOOST_AUTO_TEST_SUITE(fake_watcher_test)

// Mirrors TestFake.
BOOST_AUTO_TEST_CASE(every_kind_of_event_arrives_in_order_and_then_the_end) {
  holds_everywhere([](Runtime& runtime) {
    FakeWatcher watcher(runtime);
    const api::Status gone = api::failure(api::StatusReason::Gone, "too old");
    const Task script = runtime::spawn(runtime, "script", [&] {
      watcher.add(object("a"));
      watcher.action(modified("b", "5"));
      watcher.modify(object("a", "2"));
      watcher.remove(object("a", "3"));
      watcher.error(gone);
      watcher.action(event(watch::EventType::Bookmark, "", "9"));
      watcher.stop();
    });
    for (const char* text : {"ADDED a@1", "MODIFIED b@5", "MODIFIED a@2", "DELETED a@3"}) {
      expect_equal(next(watcher), text);
    }
    expect_error(watcher, gone);
    expect_equal(next(watcher), "BOOKMARK @9");
    expect_equal(next(watcher), "closed");
    script.join();
  });
}

BOOST_AUTO_TEST_CASE(a_send_blocks_until_the_event_is_read) {
  holds_everywhere([](Runtime& runtime) {
    FakeWatcher watcher(runtime);
    Atomic<bool> sent(runtime, false);
    const Task script = runtime::spawn(runtime, "script", [&] {
      watcher.add(object("a"));
      sent.store(true);
    });
    runtime.yield(runtime::Location::current());
    expect(!sent.load(), "no task has read the event yet");
    expect_equal(next(watcher), "ADDED a@1");
    script.join();
    watcher.stop();
  });
}

BOOST_AUTO_TEST_CASE(a_sized_one_takes_that_many_events_without_a_reader_and_no_more) {
  holds_everywhere([](Runtime& runtime) {
    FakeWatcher watcher(runtime, 2);
    watcher.add(object("a"));
    watcher.add(object("b"));
    Atomic<bool> sent(runtime, false);
    const Task script = runtime::spawn(runtime, "script", [&] {
      watcher.add(object("c"));
      sent.store(true);
    });
    runtime.yield(runtime::Location::current());
    expect(!sent.load(), "there is room for two");
    expect_equal(next(watcher), "ADDED a@1");
    script.join();
    watcher.stop();
    expect_equal(read_all(watcher.result_channel()), "ADDED b@1,ADDED c@1");
  });
}

BOOST_AUTO_TEST_CASE(a_send_after_a_stop_panics) {
  holds_everywhere([](Runtime& runtime) {
    FakeWatcher watcher(runtime, 1);
    watcher.stop();
    expect(watcher.is_stopped(), "it was stopped");
    expect_panic([&] { watcher.add(object("a")); }, "closed");
  });
}

BOOST_AUTO_TEST_CASE(a_send_that_waits_while_the_watch_is_stopped_panics) {
  holds_everywhere([](Runtime& runtime) {
    FakeWatcher watcher(runtime);
    const Task script = runtime::spawn(
        runtime, "script", [&] { expect_panic([&] { watcher.add(object("a")); }, "closed"); });
    watcher.stop();
    script.join();
  });
}

BOOST_AUTO_TEST_CASE(a_second_stop_does_nothing) {
  holds_everywhere([](Runtime& runtime) {
    FakeWatcher watcher(runtime);
    const Task other = runtime::spawn(runtime, "other", [&] { watcher.stop(); });
    watcher.stop();
    other.join();
    expect_equal(next(watcher), "closed");
  });
}

BOOST_AUTO_TEST_CASE(a_reset_gives_a_new_unbuffered_channel) {
  holds_everywhere([](Runtime& runtime) {
    FakeWatcher watcher(runtime, 5);
    const runtime::Channel<watch::Event> old = watcher.result_channel();
    watcher.stop();
    watcher.reset();
    expect(!watcher.is_stopped(), "a reset undoes the stop");
    expect(!(old == watcher.result_channel()), "the old channel stays closed");
    Atomic<bool> sent(runtime, false);
    const Task script = runtime::spawn(runtime, "script", [&] {
      watcher.add(object("a"));
      sent.store(true);
    });
    runtime.yield(runtime::Location::current());
    expect(!sent.load(), "the new channel has no room, although the first one had");
    expect_equal(next(watcher), "ADDED a@1");
    script.join();
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
