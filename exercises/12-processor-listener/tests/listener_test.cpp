// The visible tests of your listener.
#include <boost/test/unit_test.hpp>
#include <chrono>

#include "exercises/12-processor-listener/players.hpp"
#include "exercises/12-processor-listener/subject.hpp"
#include "exercises/toolkit/worlds.hpp"

using namespace std::chrono_literals;
using namespace watchlab::exercise;
using watchlab::runtime::Runtime;

BOOST_AUTO_TEST_CASE(each_notification_is_a_call_in_the_order_of_the_adds) {
  in_every_world([](Runtime& runtime) {
    Running running(runtime);
    running.add("a", "1");
    running.add("b", "1");
    running.add("a", "2");
    running.wait(1s);
    expect_equal(running.handler.calls(), "a@1 b@1 a@2");
    running.end();
  });
}

BOOST_AUTO_TEST_CASE(an_add_does_not_wait_for_a_slow_handler) {
  in_every_world([](Runtime& runtime) {
    Running running(runtime);
    running.handler.take(1s);
    const auto begin = runtime.now();
    for (const char* const name : {"a", "b", "c", "d", "e", "f", "g", "h"}) {
      running.add(name, "1");
    }
    expect(runtime.now() == begin, "no time has passed");
    running.wait(20s);
    expect_equal(running.handler.calls(), "a@1 b@1 c@1 d@1 e@1 f@1 g@1 h@1");
    running.end();
  });
}

BOOST_AUTO_TEST_CASE(an_add_does_not_call_the_handler_itself) {
  in_every_world([](Runtime& runtime) {
    Running running(runtime);
    running.handler.take(1s);
    running.add("a", "1");
    expect_equal(running.handler.calls_ended(), 0);
    running.wait(2s);
    expect_equal(running.handler.calls_ended(), 1);
    running.end();
  });
}

BOOST_AUTO_TEST_CASE(states_of_one_object_are_not_merged) {
  in_every_world([](Runtime& runtime) {
    Running running(runtime);
    running.handler.take(1s);
    running.add("a", "1");
    running.add("a", "2");
    running.add("a", "2");
    running.add("a", "3");
    running.wait(10s);
    expect_equal(running.handler.calls(), "a@1 a@2 a@2 a@3");
    running.end();
  });
}

BOOST_AUTO_TEST_CASE(a_call_that_failed_is_not_repeated_and_the_next_one_comes) {
  in_every_world([](Runtime& runtime) {
    Running running(runtime);
    running.handler.fail_at("a@1");
    running.add("a", "1");
    running.add("b", "1");
    running.wait(10s);
    expect_equal(running.handler.calls(), "a@1 b@1");
    running.end();
  });
}

BOOST_AUTO_TEST_CASE(after_a_call_that_failed_there_is_a_second_of_rest) {
  in_every_world([](Runtime& runtime) {
    Running running(runtime);
    running.handler.fail_at("a@1");
    running.add("a", "1");
    running.add("b", "1");
    running.add("c", "1");
    running.wait(10s);
    expect_equal(running.handler.times(), "a@1 at 0 ms, b@1 at 1000 ms, c@1 at 1000 ms");
    running.end();
  });
}

BOOST_AUTO_TEST_CASE(it_has_synced_when_the_handler_has_come_back) {
  in_every_world([](Runtime& runtime) {
    Running running(runtime);
    running.handler.take(1s);
    running.add("a", "1", true);
    running.add("b", "1", true);
    running.informer.sync();
    running.wait(1500ms);
    expect(!running.listener->has_synced(), "the call for b is not over");
    running.wait(1s);
    expect(running.listener->has_synced(), "both calls are over");
    running.end();
  });
}

BOOST_AUTO_TEST_CASE(it_has_not_synced_before_the_informer_has) {
  in_every_world([](Runtime& runtime) {
    Running running(runtime);
    expect(!running.listener->has_synced(), "the informer has not synced");
    running.informer.sync();
    expect(running.listener->has_synced(), "there is nothing in the first list");
    running.end();
  });
}

BOOST_AUTO_TEST_CASE(a_closed_listener_drops_what_waits) {
  in_every_world([](Runtime& runtime) {
    Running running(runtime);
    running.handler.take(1s);
    const auto begin = runtime.now();
    running.add("a", "1");
    running.add("b", "1");
    running.add("c", "1");
    running.wait(500ms);
    running.end();
    expect_equal(running.handler.calls(), "a@1");
    expect(runtime.now() - begin == 1s, "run comes back when the call is over");
  });
}

BOOST_AUTO_TEST_CASE(a_resync_is_due_after_each_period) {
  in_every_world([](Runtime& runtime) {
    Running running(runtime, 10s);
    running.wait(9s);
    expect(!running.listener->resync_is_due(), "9 seconds have passed");
    running.wait(1s);
    expect(running.listener->resync_is_due(), "10 seconds have passed");
    running.wait(3s);
    running.listener->resynced();
    running.wait(9s);
    expect(!running.listener->resync_is_due(), "9 seconds have passed since the last one");
    running.wait(1s);
    expect(running.listener->resync_is_due(), "10 seconds have passed since the last one");
    running.end();
  });
}
