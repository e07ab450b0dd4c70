// What client-go's own tests of its work queues look at (TestBasic, TestAddWhileProcessing,
// TestReinsert, TestDeduping, TestCopyShifting, TestItemExponentialFailureRateLimiter), as far as
// this queue promises it.
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <set>
#include <string>

#include "core/runtime/task.hpp"
#include "exercises/14-work-queue/subject.hpp"
#include "exercises/toolkit/worlds.hpp"

using namespace watchlab::exercise;
using namespace std::chrono_literals;
using watchlab::runtime::Runtime;
using watchlab::runtime::sleep_for;
using watchlab::runtime::spawn;

BOOST_AUTO_TEST_CASE(producers_and_workers) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_work_queue(runtime);
    std::set<std::string> taken;
    const auto work = [&] {
      while (const auto key = queue->get()) {
        expect(taken.insert(*key).second, "one worker has a key");
        sleep_for(runtime, 3ms);
        taken.erase(*key);
        queue->done(*key);
      }
    };
    const auto one = spawn(runtime, "one", work);
    const auto two = spawn(runtime, "two", work);
    for (int i = 0; i < 6; ++i) {
      queue->add(std::to_string(i % 3));
      sleep_for(runtime, 1ms);
    }
    queue->shut_down();
    queue->add("added after the shut down");
    one.join();
    two.join();
    expect_equal(queue->size(), 0);
  });
}

BOOST_AUTO_TEST_CASE(a_key_is_inserted_again_while_it_is_worked_on) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_work_queue(runtime);
    queue->add("foo");
    expect_equal(queue->get().value_or("nothing"), "foo");
    queue->add("foo");
    queue->done("foo");
    expect_equal(queue->get().value_or("nothing"), "foo");
    queue->done("foo");
    expect_equal(queue->size(), 0);
  });
}

BOOST_AUTO_TEST_CASE(delays_of_one_key_are_one) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_work_queue(runtime);
    queue->add_after("foo", 50ms);
    queue->add_after("foo", 70ms);
    expect_equal(queue->get().value_or("nothing"), "foo");
    queue->done("foo");
    sleep_for(runtime, 200ms);
    expect_equal(queue->size(), 0);
    queue->add_after("foo", 1s);
    queue->add_after("foo", 30ms);
    expect_equal(queue->get().value_or("nothing"), "foo");
  });
}

BOOST_AUTO_TEST_CASE(failures_back_off_apart) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_work_queue(runtime);
    for (int i = 1; i <= 5; ++i) {
      queue->retry("one");
      expect_equal(queue->failures("one"), i);
    }
    queue->retry("two");
    expect_equal(queue->failures("two"), 1);
    queue->forget("one");
    expect_equal(queue->failures("one"), 0);
  });
}

BOOST_AUTO_TEST_CASE(delays_come_in_the_order_of_their_moments) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_work_queue(runtime);
    queue->add_after("foo", 1s);
    queue->add_after("bar", 500ms);
    queue->add_after("baz", 250ms);
    for (const char* const key : {"baz", "bar", "foo"}) {
      expect_equal(queue->get().value_or("nothing"), key);
      queue->done(key);
    }
    sleep_for(runtime, 2s);
    expect_equal(queue->size(), 0);
  });
}

BOOST_AUTO_TEST_CASE(the_waits_double_up_to_a_minute) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_work_queue(runtime);
    for (const std::int64_t seconds : {1, 2, 4, 8, 16, 32, 60, 60}) {
      const auto start = runtime.now();
      queue->retry("one");
      expect_equal(queue->get().value_or("nothing"), "one");
      expect_equal((runtime.now() - start) / 1s, seconds);
      queue->done("one");
    }
  });
}

BOOST_AUTO_TEST_CASE(a_drain_waits_for_what_is_worked_on) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_work_queue(runtime);
    queue->add("foo");
    queue->add("bar");
    const std::string first = queue->get().value_or("nothing");
    const std::string second = queue->get().value_or("nothing");
    bool is_drained = false;
    const auto drain = spawn(runtime, "drain", [&] {
      queue->shut_down_with_drain();
      is_drained = true;
    });
    sleep_for(runtime, 1s);
    queue->done(first);
    sleep_for(runtime, 1s);
    expect(!is_drained, "one key is worked on still");
    queue->done(second);
    drain.join();
  });
}
