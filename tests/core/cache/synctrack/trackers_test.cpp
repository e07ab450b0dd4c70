#include <boost/test/unit_test.hpp>
#include <string>

#include "core/cache/synctrack/async_tracker.hpp"
#include "core/cache/synctrack/single_file_tracker.hpp"
#include "core/runtime/channel.hpp"
#include "core/runtime/task.hpp"
#include "tests/support/everywhere.hpp"

namespace watchlab::tests {
BOOST_AUTO_TEST_SUITE(trackers_test)

namespace {

using cache::synctrack::AsyncTracker;
using cache::synctrack::SingleFileTracker;

// Mirrors TestBasicLogic.
BOOST_AUTO_TEST_CASE(both_trackers_need_upstream_and_an_empty_list) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    bool upstream = false;
    SingleFileTracker single(runtime, [&] { return upstream; });
    AsyncTracker<std::string> async(runtime, [&] { return upstream; });
    expect(!single.has_synced() && !async.has_synced(), "upstream has not synced");
    single.start();
    async.start("key");
    upstream = true;
    expect(!single.has_synced() && !async.has_synced(), "one waits");
    single.finished();
    async.finished("key");
    expect(single.has_synced() && async.has_synced(), "nothing waits");
    upstream = false;
    expect(!single.has_synced() && !async.has_synced(), "upstream is asked each time");
  });
}

// Mirrors TestSingleFileCounting.
BOOST_AUTO_TEST_CASE(finishing_more_than_was_started_panics) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SingleFileTracker tracker(runtime, [] { return true; });
    tracker.start();
    tracker.finished();
    expect_panic([&] { tracker.finished(); }, "finished");
  });
}

// Mirrors TestSingleFile.
BOOST_AUTO_TEST_CASE(a_worker_that_lags_behind_upstream_keeps_it_unsynced) {
  holds_everywhere([](runtime::Runtime& runtime) {
    runtime::Atomic<bool> upstream(runtime, false);
    runtime::Atomic<int> handled(runtime, 0);
    SingleFileTracker tracker(runtime, [&] { return upstream.load(); });
    runtime::Channel<int> work(runtime, 0);
    const auto worker = runtime::spawn(runtime, "worker", [&] {
      while (work.receive()) {
        handled.fetch_add(1);
        tracker.finished();
      }
    });
    const auto producer = runtime::spawn(runtime, "producer", [&] {
      for (int i = 0; i < 5; ++i) {
        tracker.start();
        work.send(i);
      }
      upstream.store(true);
      work.close();
    });
    while (!tracker.has_synced()) {
      runtime.yield(runtime::Location::current());
    }
    expect_equal(handled.load(), 5);
    producer.join();
    worker.join();
  });
}

// Mirrors TestAsyncLocking.
BOOST_AUTO_TEST_CASE(upstream_may_use_the_tracker_itself) {
  holds_everywhere([](runtime::Runtime& runtime) {
    AsyncTracker<int>* self = nullptr;
    AsyncTracker<int> tracker(runtime, [&] {
      self->start(1);
      self->finished(1);
      return true;
    });
    self = &tracker;
    expect(tracker.has_synced(), "it does not deadlock");
  });
}

BOOST_AUTO_TEST_CASE(a_key_that_was_started_twice_is_finished_once) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    AsyncTracker<std::string> tracker(runtime, [] { return true; });
    tracker.start("key");
    tracker.start("key");
    tracker.finished("other");
    expect(!tracker.has_synced(), "the key waits");
    tracker.finished("key");
    expect(tracker.has_synced(), "nothing waits");
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace watchlab::tests
