#include <boost/test/unit_test.hpp>
#include <string>

#include "core/cache/processor_listener.hpp"
#include "core/port/synctrack.hpp"
#include "core/runtime/channel.hpp"
#include "core/runtime/task.hpp"
#include "tests/support/campaign.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(trackers_test)

namespace {

using cache::synctrack::AsyncTracker;
using cache::synctrack::SingleFileTracker;
using namespace std::chrono_literals;

}  // namespace

// Mirrors TestBasicLogic and TestSingleFile.
BOOST_AUTO_TEST_CASE(both_trackers_need_upstream_and_an_empty_list) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    bool upstream = false;
    SingleFileTracker single(runtime, [&] { return upstream; });
    AsyncTracker<std::string> async(runtime, [&] { return upstream; });
    expect(!single.has_synced() && !async.has_synced(), "upstream has not synced");
    single.start();
    async.start("key");
    expect(!single.has_synced() && !async.has_synced(), "upstream has not, and one waits");
    upstream = true;
    expect(!single.has_synced() && !async.has_synced(), "one waits");
    single.finished();
    async.finished("key");
    expect(single.has_synced() && async.has_synced(), "nothing waits");
    upstream = false;
    expect(!single.has_synced() && !async.has_synced(), "upstream is asked each time");
    upstream = true;
    expect(single.has_synced() && async.has_synced(), "upstream came last");
  });
}

// Mirrors TestSingleFileCounting.
BOOST_AUTO_TEST_CASE(finishing_more_than_was_started_panics) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SingleFileTracker tracker(runtime, [] { return true; });
    constexpr int kThings = 100;
    for (int i = 0; i < kThings; ++i) {
      tracker.start();
    }
    for (int i = 0; i < kThings; ++i) {
      expect(!tracker.has_synced(), "one waits");
      tracker.finished();
    }
    expect(tracker.has_synced(), "nothing waits");
    expect_panic([&] { tracker.finished(); }, "negative counter");
    expect(tracker.has_synced(), "less than nothing waits");
  });
}

// Mirrors the same three as of 0.36: what is waited for once upstream has synced, from before the
// last one is finished or from after it.
BOOST_AUTO_TEST_CASE(who_waits_until_all_are_finished_waits_for_the_last_one_only) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    runtime::StopSource stop(runtime);
    SingleFileTracker early(runtime, [] { return true; });
    early.start();
    early.finished();
    expect(early.wait_until_finished(runtime, stop.token()), "it was finished before");
    SingleFileTracker late(runtime, [] { return true; });
    late.start();
    late.start();
    const auto waits = runtime::spawn(runtime, "waits", [&] {
      expect(late.wait_until_finished(runtime, stop.token()), "all are finished in the end");
    });
    runtime::sleep_for(runtime, 1s);
    late.finished();
    runtime::sleep_for(runtime, 1s);
    expect(!waits.done() && !late.has_synced(), "one waits");
    late.finished();
    waits.join();
    expect(late.has_synced(), "nothing waits");
    expect_panic([&] { late.finished(); }, "negative counter");
    expect(late.has_synced(), "less than nothing waits");
    SingleFileTracker never(runtime, [] { return true; });
    never.start();
    stop.stop();
    expect(!never.wait_until_finished(runtime, stop.token()), "it is never finished");
  });
}

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

// Mirrors TestNoStaleValue.
BOOST_AUTO_TEST_CASE(no_waiter_that_waited_for_upstream_misses_what_was_started_meanwhile) {
  const auto check = [](runtime::Runtime& runtime, auto start, auto finished, auto has_synced,
                        runtime::Mutex& upstream) {
    expect(has_synced(), "nothing was started");
    start();
    expect(!has_synced(), "one waits");
    finished();
    expect(has_synced(), "nothing waits");
    upstream.lock();
    const auto asks =
        runtime::spawn(runtime, "asks", [&] { expect(!has_synced(), "it was started before"); });
    const auto starts = runtime::spawn(runtime, "starts", [&] { start(); });
    starts.join();
    upstream.unlock();
    asks.join();
  };
  holds_everywhere([&](runtime::Runtime& runtime) {
    runtime::Mutex upstream(runtime);
    const auto upstream_has_synced = [&] {
      const runtime::Lock lock(upstream);
      return true;
    };
    SingleFileTracker single(runtime, upstream_has_synced);
    check(
        runtime, [&] { single.start(); }, [&] { single.finished(); },
        [&] { return single.has_synced(); }, upstream);
    AsyncTracker<std::string> async(runtime, upstream_has_synced);
    check(
        runtime, [&] { async.start("key"); }, [&] { async.finished("key"); },
        [&] { return async.has_synced(); }, upstream);
  });
}

// Mirrors TestAsyncLocking.
BOOST_AUTO_TEST_CASE(many_tasks_may_start_and_finish_at_once) {
  holds_everywhere([](runtime::Runtime& runtime) {
    AsyncTracker<int> tracker(runtime, [] { return true; });
    std::vector<runtime::Task> workers;
    for (int i = 0; i < 5; ++i) {
      workers.push_back(runtime::spawn(runtime, "worker", [&runtime, &tracker, i] {
        tracker.start(i);
        runtime::spawn(runtime, "finisher", [&tracker, i] { tracker.finished(i); }).join();
      }));
    }
    for (const runtime::Task& worker : workers) {
      worker.join();
    }
    expect(tracker.has_synced(), "all have finished");
  });
}

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

}  // namespace watchlab::tests
