// The hidden tests: what the visible ones leave open.
#include <boost/test/unit_test.hpp>
#include <chrono>

#include "exercises/08-reflector/stage.hpp"

using namespace watchlab::exercise;
using namespace std::chrono_literals;

// What was written last lies in another collection, or is gone: the objects do not tell the
// version.
BOOST_AUTO_TEST_CASE(the_version_is_that_of_the_list) {
  play([](Stage& stage) {
    stage.server.remove("early");
    stage.server.write_elsewhere(3);
    stage.start();
    stage.wait(1s);
    expect_equal(stage.server.requests(), "LIST, WATCH 5");
  });
}

BOOST_AUTO_TEST_CASE(a_deletion_moves_the_version_on) {
  play([](Stage& stage) {
    stage.start();
    stage.wait(1s);
    stage.server.remove("early");
    stage.wait(1s);
    stage.server.end_watches();
    stage.wait(1min);
    expect_equal(stage.server.last_request(), "WATCH 2");
    stage.server.create("early");
    stage.wait(1s);
    stage.expect_in_step();
  });
}

BOOST_AUTO_TEST_CASE(events_before_a_break_count) {
  play([](Stage& stage) {
    stage.start();
    stage.wait(1s);
    stage.server.update("early");
    stage.server.break_watches();
    stage.wait(1min);
    expect_equal(stage.server.last_request(), "WATCH 2");
    stage.server.update("early");
    stage.wait(1s);
    stage.expect_in_step();
  });
}

BOOST_AUTO_TEST_CASE(a_watch_that_falls_behind_is_followed_by_a_list) {
  play([](Stage& stage) {
    stage.start();
    stage.wait(1s);
    stage.server.create("a");
    stage.server.forget();
    stage.server.remove("a");
    stage.wait(1min);
    stage.expect_in_step();
    expect_equal(stage.server.lists(), 2);
    stage.server.create("b");
    stage.wait(1s);
    stage.expect_in_step();
  });
}

// A list may be forgotten before the watch has begun, and again.
BOOST_AUTO_TEST_CASE(a_list_that_is_forgotten_at_once_is_followed_by_another) {
  play([](Stage& stage) {
    stage.server.forget_lists(3);
    stage.start();
    stage.wait(2min);
    expect_equal(stage.server.lists(), 4);
    stage.server.create("a");
    stage.wait(1s);
    stage.expect_in_step();
  });
}

BOOST_AUTO_TEST_CASE(a_replica_does_not_take_it_back) {
  play([](Stage& stage) {
    stage.server.freeze_replicas();
    stage.start();
    stage.wait(1s);
    stage.server.update("early");
    stage.wait(1s);
    stage.server.end_watches();
    stage.server.create("a");
    stage.server.forget();
    stage.wait(1min);
    stage.expect_in_step();
  });
}

// What a replica lists may be older than what the server remembers.
BOOST_AUTO_TEST_CASE(a_replica_may_be_too_old_to_watch_from) {
  play([](Stage& stage) {
    stage.server.freeze_replicas();
    stage.start();
    stage.wait(1s);
    stage.server.end_watches();
    stage.server.create("a");
    stage.server.forget();
    stage.wait(1min);
    stage.expect_in_step();
  });
}

BOOST_AUTO_TEST_CASE(a_failed_list_leaves_the_store_as_it_is) {
  play([](Stage& stage) {
    stage.start();
    stage.wait(1s);
    stage.server.fail_lists(1000);
    stage.server.forget();
    stage.wait(1min);
    stage.expect_in_step();
    expect_equal(stage.store.writes(), "replace");
    stage.server.fail_lists(0);
    stage.wait(1min);
    stage.server.create("a");
    stage.wait(1s);
    stage.expect_in_step();
  });
}

BOOST_AUTO_TEST_CASE(a_server_that_refuses_watches_is_spared) {
  play([](Stage& stage) {
    stage.server.fail_watches(1000);
    stage.start();
    stage.wait(20s);
  });
}

BOOST_AUTO_TEST_CASE(a_server_that_ends_each_watch_at_once_is_spared) {
  play([](Stage& stage) {
    stage.server.shorten_watches(1000);
    stage.start();
    stage.wait(20s);
    stage.server.shorten_watches(0);
    stage.server.update("early");
    stage.wait(1min);
    stage.expect_in_step();
  });
}

BOOST_AUTO_TEST_CASE(nothing_comes_of_quiet_minutes) {
  play([](Stage& stage) {
    stage.start();
    stage.wait(30min);
    expect_equal(stage.server.requests(), "LIST, WATCH 1");
  });
}

BOOST_AUTO_TEST_CASE(it_stops_in_the_middle_of_a_pause) {
  play([](Stage& stage) {
    stage.server.fail_lists(1000);
    stage.start();
    stage.wait(33s + 500ms);
  });
}

BOOST_AUTO_TEST_CASE(any_task_may_stop_it_and_again) {
  play([](Stage& stage) {
    stage.start();
    stage.wait(1s);
    const auto other =
        watchlab::runtime::spawn(stage.runtime, "other", [&] { stage.reflector->stop(); });
    stage.stop();
    other.join();
  });
}

BOOST_AUTO_TEST_CASE(it_may_be_stopped_before_it_runs) {
  play([](Stage& stage) {
    stage.reflector->stop();
    stage.start();
  });
}

BOOST_AUTO_TEST_CASE(it_leaves_no_watch_open_that_was_asked_for_when_it_is_stopped) {
  play([](Stage& stage) {
    stage.start();
    stage.wait(15ms);
  });
}

// The answer to a list or to a watch comes at the moment at which it is stopped: which is first is
// a matter of the schedule.
BOOST_AUTO_TEST_CASE(it_leaves_no_watch_open_whenever_it_is_stopped) {
  for (const auto delay : {0ms, 5ms, 10ms, 15ms, 20ms, 25ms, 30ms}) {
    play([delay](Stage& stage) {
      stage.start();
      stage.wait(delay);
      stage.stop();
      stage.wait(1s);
      expect_equal(stage.server.watches_open(), 0);
    });
  }
}

BOOST_AUTO_TEST_CASE(it_keeps_its_promises_while_everything_happens) {
  for (const auto delay : {0ms, 5ms, 10ms, 15ms, 20ms, 25ms, 30ms}) {
    play([delay](Stage& stage) {
      stage.start();
      stage.wait(delay);
      const auto writer = watchlab::runtime::spawn(stage.runtime, "writer", [&] {
        stage.server.create("a");
        stage.server.update("early");
        stage.server.update("a");
        stage.server.remove("early");
        stage.server.create("early");
      });
      const auto network = watchlab::runtime::spawn(stage.runtime, "network", [&] {
        stage.server.bookmark();
        watchlab::runtime::sleep_for(stage.runtime, 20ms);
        stage.server.end_watches();
        stage.server.update("a");
        stage.server.forget();
        stage.server.break_watches();
      });
      writer.join();
      network.join();
      stage.wait(1min);
      stage.expect_in_step();
    });
  }
}
