// The hidden tests: what the visible ones leave open, two of them by a search of schedules.
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <string>

#include "core/runtime/task.hpp"
#include "exercises/12-processor-listener/players.hpp"
#include "exercises/12-processor-listener/subject.hpp"
#include "exercises/toolkit/objects.hpp"
#include "exercises/toolkit/worlds.hpp"

using namespace std::chrono_literals;
using namespace watchlab::exercise;
using watchlab::runtime::Runtime;
using watchlab::runtime::spawn;

BOOST_AUTO_TEST_CASE(however_many_wait_nothing_is_lost_and_the_order_stays) {
  in_every_world([](Runtime& runtime) {
    Running running(runtime);
    running.handler.take(1s);
    std::string expected;
    for (int i = 0; i < 40; ++i) {
      running.add("a", std::to_string(i));
      expected.append(i == 0 ? "" : " ").append("a@" + std::to_string(i));
    }
    running.wait(100s);
    expect_equal(running.handler.calls(), expected);
    running.end();
  });
}

// What comes while there is a call stands behind what waits already.
BOOST_AUTO_TEST_CASE(what_comes_later_is_called_later) {
  in_every_world([](Runtime& runtime) {
    Running running(runtime);
    running.handler.take(1s);
    for (const char* const version : {"1", "2", "3", "4", "5", "6"}) {
      running.add("a", version);
      running.wait(700ms);
    }
    running.wait(10s);
    expect_equal(running.handler.times(),
                 "a@1 at 0 ms, a@2 at 1000 ms, a@3 at 2000 ms, a@4 at 3000 ms, a@5 at 4000 ms, "
                 "a@6 at 5000 ms");
    running.add("a", "7");
    running.wait(1s);
    expect(running.handler.times().ends_with("a@7 at 14200 ms"), "it is called at once");
    running.end();
  });
}

BOOST_AUTO_TEST_CASE(the_rest_delays_nothing_but_the_next_call) {
  in_every_world([](Runtime& runtime) {
    Running running(runtime);
    running.handler.fail_at("a@1");
    running.handler.fail_at("a@2");
    running.add("a", "1");
    running.wait(500ms);
    const auto begin = runtime.now();
    running.add("a", "2");
    running.add("b", "1");
    expect(!running.listener->has_synced(), "the informer has not synced");
    expect(runtime.now() == begin, "no time has passed");
    running.wait(5s);
    expect_equal(running.handler.times(), "a@1 at 0 ms, a@2 at 1000 ms, b@1 at 2000 ms");
    running.add("c", "1");
    running.wait(1s);
    expect(running.handler.times().ends_with("c@1 at 5500 ms"), "the rest was over long ago");
    running.end();
  });
}

BOOST_AUTO_TEST_CASE(a_listener_that_rests_can_be_closed) {
  in_every_world([](Runtime& runtime) {
    Running running(runtime);
    running.handler.fail_at("a@1");
    const auto begin = runtime.now();
    running.add("a", "1");
    running.add("b", "1");
    running.wait(500ms);
    running.listener->close();
    expect(runtime.now() - begin == 500ms, "close does not wait");
    running.join();
    expect_equal(running.handler.calls(), "a@1");
    expect(runtime.now() - begin == 1s, "run comes back when the second is over");
  });
}

BOOST_AUTO_TEST_CASE(only_the_first_list_counts_for_the_sync) {
  in_every_world([](Runtime& runtime) {
    Running running(runtime);
    running.handler.take(1s);
    running.add("a", "1", true);
    running.informer.sync();
    running.add("a", "2");
    running.add("b", "1");
    expect(!running.listener->has_synced(), "a waits, or is in a call");
    running.wait(1500ms);
    expect(running.listener->has_synced(), "what came later does not matter");
    running.end();
  });
}

BOOST_AUTO_TEST_CASE(a_slow_handler_delays_no_other_one) {
  in_every_world([](Runtime& runtime) {
    Running slow(runtime, 10s);
    Running quick(runtime);
    slow.handler.take(5s);
    for (const char* const version : {"1", "2", "3"}) {
      slow.add("a", version);
      quick.add("a", version);
    }
    slow.wait(1s);
    expect_equal(quick.handler.calls(), "a@1 a@2 a@3");
    expect_equal(slow.handler.calls(), "a@1");
    slow.wait(10s);
    expect(slow.listener->resync_is_due(), "it is due during a call");
    quick.end();
    slow.end();
  });
}

BOOST_AUTO_TEST_CASE(without_a_period_no_resync_is_due) {
  in_every_world([](Runtime& runtime) {
    Running running(runtime);
    expect(!running.listener->resync_is_due(), "at the beginning");
    running.wait(1h);
    expect(!running.listener->resync_is_due(), "after an hour");
    running.listener->resynced();
    expect(!running.listener->resync_is_due(), "after a resync");
    running.end();
  });
}

// The informer syncs when the first list was added: what asks both must ask in the right order.
BOOST_AUTO_TEST_CASE(what_has_synced_has_called) {
  in_each_schedule(1, [](Runtime& runtime) {
    Running running(runtime);
    const auto producer = spawn(runtime, "producer", [&] {
      running.add("a", "1", true);
      running.informer.sync();
    });
    if (running.listener->has_synced()) {
      expect_equal(running.handler.calls_ended(), 1);
    }
    producer.join();
    running.end();
  });
}

// Every schedule with a few preemptions: no wake-up is lost, by an add or by the close.
BOOST_AUTO_TEST_CASE(no_wake_up_is_lost_in_any_schedule) {
  in_each_schedule(2, [](Runtime& runtime) {
    Running running(runtime);
    running.add("a", "1", true);
    running.informer.sync();
    running.wait(1s);
    expect_equal(running.handler.calls(), "a@1");
    expect(running.listener->has_synced(), "the handler has come back");
    running.add("b", "2");
    running.wait(1s);
    expect_equal(running.handler.calls(), "a@1 b@2");
    running.end();
  });
}
