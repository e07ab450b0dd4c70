#include <boost/test/unit_test.hpp>

#include "core/port/watchers.hpp"
#include "core/runtime/select.hpp"
#include "core/runtime/task.hpp"
#include "tests/core/watch/events.hpp"
#include "tests/support/campaign.hpp"

namespace watchlab::tests {

using runtime::Channel;
using runtime::Runtime;
using watch::ProxyWatcher;

BOOST_AUTO_TEST_SUITE(proxy_watcher_test)

// Mirrors TestProxyWatcher.
BOOST_AUTO_TEST_CASE(it_shows_the_events_of_the_channel) {
  holds_everywhere([](Runtime& runtime) {
    const api::Status gone = api::failure(api::StatusReason::Gone, "too old");
    Channel<watch::Event> feed(runtime, 5);
    ProxyWatcher watcher(runtime, feed);
    feed.send(added("a"));
    feed.send(modified("b", "5"));
    feed.send(modified("a", "2"));
    feed.send(deleted("a", "3"));
    feed.send(failed(gone));
    for (const char* text : {"ADDED a@1", "MODIFIED b@5", "MODIFIED a@2", "DELETED a@3"}) {
      expect_equal(next(watcher), text);
    }
    expect_error(watcher, gone);
  });
}

// Mirrors TestProxyWatcher.
BOOST_AUTO_TEST_CASE(a_stop_notifies_the_feeder_and_may_be_repeated) {
  holds_everywhere([](Runtime& runtime) {
    ProxyWatcher watcher(runtime, Channel<watch::Event>(runtime, 0));
    expect(!watcher.stopping(), "no task has stopped it yet");
    const runtime::Task other = runtime::spawn(runtime, "other", [&] { watcher.stop(); });
    watcher.stop();
    const Channel<runtime::Unit> stop = watcher.stop_channel();
    std::optional<runtime::Unit> unit;
    expect(stop.try_receive(unit) && !unit, "the stop channel is closed already");
    expect(watcher.stopping(), "it was stopped");
    other.join();
  });
}

BOOST_AUTO_TEST_CASE(a_stop_does_not_close_the_result) {
  holds_everywhere([](Runtime& runtime) {
    ProxyWatcher watcher(runtime, Channel<watch::Event>(runtime, 0));
    watcher.stop();
    runtime::Select look(runtime);
    look.receive(watcher.result_channel());
    expect(!look.poll().has_value(), "the channel is still open");
  });
}

// The live bug B91.
BOOST_AUTO_TEST_CASE(a_reader_who_waits_for_the_end_after_a_stop_waits_indefinitely) {
  fails_somewhere(
      [](Runtime& runtime) {
        ProxyWatcher watcher(runtime, Channel<watch::Event>(runtime, 0, "result"));
        watcher.stop();
        read_all(watcher.result_channel());
      },
      "deadlock", "result");
}

// Mirrors TestEmpty.
BOOST_AUTO_TEST_CASE(an_empty_watch_is_over_before_it_began) {
  holds_everywhere([](Runtime& runtime) {
    const std::shared_ptr<watch::Watcher> watcher = watch::make_empty_watch(runtime);
    expect_equal(next(*watcher), "closed");
    watcher->stop();
    expect_equal(next(*watcher), "closed");
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
