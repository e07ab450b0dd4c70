// The visible tests of your reflector.
#include <boost/test/unit_test.hpp>
#include <chrono>

#include "exercises/08-reflector/stage.hpp"

using namespace watchlab::exercise;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_CASE(what_is_there_is_listed) {
  play([](Stage& stage) {
    stage.server.create("a");
    stage.start();
    stage.wait(1s);
    stage.expect_in_step();
    expect_equal(stage.store.writes(), "replace");
  });
}

BOOST_AUTO_TEST_CASE(the_watch_begins_where_the_list_ended) {
  play([](Stage& stage) {
    stage.server.create("a");
    stage.start();
    stage.wait(1s);
    expect_equal(stage.server.requests(), "LIST, WATCH 2");
  });
}

BOOST_AUTO_TEST_CASE(changes_arrive_in_order) {
  play([](Stage& stage) {
    stage.start();
    stage.wait(1s);
    stage.server.create("a");
    stage.server.update("early");
    stage.server.update("a");
    stage.wait(1s);
    stage.expect_in_step();
    expect_equal(stage.store.writes(), "replace, put a@2, put early@3, put a@4");
  });
}

BOOST_AUTO_TEST_CASE(what_is_deleted_goes) {
  play([](Stage& stage) {
    stage.start();
    stage.wait(1s);
    stage.server.remove("early");
    stage.wait(1s);
    expect_equal(stage.store.contents(), "");
  });
}

BOOST_AUTO_TEST_CASE(a_bookmark_is_no_object) {
  play([](Stage& stage) {
    stage.start();
    stage.wait(1s);
    stage.server.bookmark();
    stage.server.create("a");
    stage.wait(1s);
    stage.expect_in_step();
    expect_equal(stage.store.writes(), "replace, put a@2");
  });
}

BOOST_AUTO_TEST_CASE(the_next_watch_begins_at_the_last_event) {
  play([](Stage& stage) {
    stage.start();
    stage.wait(1s);
    stage.server.create("a");
    stage.server.create("b");
    stage.wait(1s);
    stage.server.end_watches();
    stage.wait(1min);
    expect_equal(stage.server.requests(), "LIST, WATCH 1, WATCH 3");
  });
}

BOOST_AUTO_TEST_CASE(the_next_watch_begins_at_the_last_bookmark) {
  play([](Stage& stage) {
    stage.start();
    stage.wait(1s);
    stage.server.write_elsewhere(6);
    stage.server.bookmark();
    stage.wait(1s);
    stage.server.end_watches();
    stage.wait(1min);
    expect_equal(stage.server.requests(), "LIST, WATCH 1, WATCH 7");
  });
}

BOOST_AUTO_TEST_CASE(what_changes_between_two_watches_arrives) {
  play([](Stage& stage) {
    stage.start();
    stage.wait(1s);
    stage.server.end_watches();
    stage.server.update("early");
    stage.server.create("a");
    stage.wait(1min);
    stage.expect_in_step();
    expect_equal(stage.server.lists(), 1);
  });
}

BOOST_AUTO_TEST_CASE(a_broken_watch_is_followed_by_another) {
  play([](Stage& stage) {
    stage.start();
    stage.wait(1s);
    stage.server.break_watches();
    stage.server.create("a");
    stage.wait(1min);
    stage.expect_in_step();
    expect_equal(stage.server.lists(), 1);
  });
}

BOOST_AUTO_TEST_CASE(a_refused_watch_is_tried_again) {
  play([](Stage& stage) {
    stage.server.fail_watches(3);
    stage.start();
    stage.server.create("a");
    stage.wait(1min);
    stage.expect_in_step();
    expect_equal(stage.server.lists(), 1);
  });
}

BOOST_AUTO_TEST_CASE(a_forgotten_past_is_listed) {
  play([](Stage& stage) {
    stage.start();
    stage.wait(1s);
    stage.server.end_watches();
    stage.server.create("a");
    stage.server.remove("early");
    stage.server.forget();
    stage.wait(1min);
    stage.expect_in_step();
    expect_equal(stage.server.lists(), 2);
  });
}

BOOST_AUTO_TEST_CASE(a_failed_list_is_tried_again) {
  play([](Stage& stage) {
    stage.server.fail_lists(3);
    stage.start();
    stage.wait(1min);
    stage.expect_in_step();
    expect_equal(stage.server.lists(), 4);
  });
}

BOOST_AUTO_TEST_CASE(a_server_in_trouble_is_spared) {
  play([](Stage& stage) {
    stage.server.fail_lists(1000);
    stage.start();
    stage.wait(20s);
  });
}

BOOST_AUTO_TEST_CASE(it_stops_while_it_waits_for_an_event) {
  play([](Stage& stage) {
    stage.start();
    stage.wait(1s);
    stage.stop();
    stage.server.create("a");
    stage.wait(1min);
    expect_equal(stage.store.writes(), "replace");
  });
}
