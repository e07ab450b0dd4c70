#include <boost/test/unit_test.hpp>

#include "core/runtime/task.hpp"
#include "core/watch/fake_watcher.hpp"
#include "tests/core/watch/events.hpp"
#include "tests/support/campaign.hpp"

namespace watchlab::tests {

using runtime::Runtime;
using runtime::Task;
using watch::RaceFreeFakeWatcher;

BOOST_AUTO_TEST_SUITE(race_free_fake_watcher_test)

// Mirrors TestRaceFreeFake.
BOOST_AUTO_TEST_CASE(every_kind_of_event_is_kept_for_the_reader) {
  holds_everywhere([](Runtime& runtime) {
    RaceFreeFakeWatcher watcher(runtime);
    const api::Status gone = api::failure(api::StatusReason::Gone, "too old");
    const Task script = runtime::spawn(runtime, "script", [&] {
      watcher.add(object("a"));
      watcher.action(modified("b", "5"));
      watcher.modify(object("a", "2"));
      watcher.remove(object("a", "3"));
      watcher.error(gone);
      watcher.stop();
    });
    for (const char* text : {"ADDED a@1", "MODIFIED b@5", "MODIFIED a@2", "DELETED a@3"}) {
      expect_equal(next(watcher), text);
    }
    expect_error(watcher, gone);
    expect_equal(next(watcher), "closed");
    script.join();
  });
}

// Mirrors TestRaceFreeFake.
BOOST_AUTO_TEST_CASE(a_send_after_a_stop_is_dropped) {
  holds_everywhere([](Runtime& runtime) {
    RaceFreeFakeWatcher watcher(runtime);
    watcher.stop();
    watcher.stop();
    watcher.add(object("a"));
    watcher.modify(object("a"));
    watcher.remove(object("a"));
    watcher.error({});
    expect(watcher.is_stopped(), "it was stopped");
    expect_equal(next(watcher), "closed");
  });
}

BOOST_AUTO_TEST_CASE(a_stop_may_come_at_any_moment) {
  holds_everywhere([](Runtime& runtime) {
    RaceFreeFakeWatcher watcher(runtime);
    const Task script = runtime::spawn(runtime, "script", [&] {
      for (int i = 0; i < 3; ++i) {
        watcher.add(object("a"));
      }
    });
    watcher.stop();
    script.join();
    const std::string seen = read_all(watcher.result_channel());
    expect(std::string("ADDED a@1,ADDED a@1,ADDED a@1").starts_with(seen), seen);
  });
}

// Mirrors TestRaceFreeFake.
BOOST_AUTO_TEST_CASE(the_hundred_and_first_unread_event_panics) {
  holds_everywhere([](Runtime& runtime) {
    RaceFreeFakeWatcher watcher(runtime);
    for (int i = 0; i < 100; ++i) {
      watcher.add(object("a"));
    }
    expect_panic([&] { watcher.add(object("a")); }, "channel full");
    watcher.stop();
  });
}

BOOST_AUTO_TEST_CASE(a_reset_gives_an_empty_watch_again) {
  holds_everywhere([](Runtime& runtime) {
    RaceFreeFakeWatcher watcher(runtime);
    watcher.add(object("a"));
    watcher.stop();
    watcher.reset();
    expect(!watcher.is_stopped(), "a reset undoes the stop");
    watcher.add(object("b"));
    watcher.stop();
    expect_equal(read_all(watcher.result_channel()), "ADDED b@1");
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
