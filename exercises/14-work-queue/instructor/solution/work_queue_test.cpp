// The reference suite: one case a promise, and one for each way to misread it.
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <string>

#include "core/runtime/task.hpp"
#include "exercises/14-work-queue/subject.hpp"
#include "exercises/toolkit/worlds.hpp"

using namespace watchlab::exercise;
using namespace std::chrono_literals;
using watchlab::runtime::Runtime;
using watchlab::runtime::sleep_for;
using watchlab::runtime::spawn;

namespace {

std::string got(WorkQueue& queue) { return queue.get().value_or("nothing"); }

/// A worker has "a" from now on.
void take_a(WorkQueue& queue) {
  queue.add("a");
  expect_equal(got(queue), "a");
}

/// Fails the key once and says after how many seconds it comes back.
std::int64_t seconds_until_it_comes(Runtime& runtime, WorkQueue& queue, const std::string& key) {
  const auto start = runtime.now();
  queue.retry(key);
  expect_equal(got(queue), key);
  queue.done(key);
  return (runtime.now() - start) / 1s;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_key_waits_once) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_work_queue(runtime);
    queue->add("a");
    queue->add("a");
    queue->add("b");
    expect_equal(queue->size(), 2);
  });
}

BOOST_AUTO_TEST_CASE(a_key_that_is_done_can_come_again) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_work_queue(runtime);
    for (int i = 0; i < 3; ++i) {
      queue->add("a");
      expect_equal(got(*queue), "a");
      queue->done("a");
      expect_equal(queue->size(), 0);
    }
  });
}

BOOST_AUTO_TEST_CASE(what_is_added_meanwhile_comes_again) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_work_queue(runtime);
    take_a(*queue);
    queue->add("a");
    queue->add("a");
    queue->done("a");
    expect_equal(queue->size(), 1);
  });
}

BOOST_AUTO_TEST_CASE(what_is_added_meanwhile_does_not_wait_yet) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_work_queue(runtime);
    take_a(*queue);
    queue->add("a");
    expect_equal(queue->size(), 0);
  });
}

BOOST_AUTO_TEST_CASE(what_came_again_is_a_key_like_any_other) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_work_queue(runtime);
    take_a(*queue);
    queue->add("a");
    queue->done("a");
    queue->add("a");
    expect_equal(queue->size(), 1);
    queue->add("b");
    queue->shut_down();
    expect(got(*queue) != got(*queue), "both come out");
    expect_equal(got(*queue), "nothing");
  });
}

BOOST_AUTO_TEST_CASE(two_workers_never_have_the_same_key) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_work_queue(runtime);
    bool is_taken = false;
    const auto work = [&] {
      while (got(*queue) == "a") {
        expect(!is_taken, "one worker has the key");
        is_taken = true;
        sleep_for(runtime, 1s);
        is_taken = false;
        queue->done("a");
      }
    };
    const auto one = spawn(runtime, "one", work);
    const auto two = spawn(runtime, "two", work);
    queue->add("a");
    sleep_for(runtime, 500ms);
    queue->add("a");
    sleep_for(runtime, 10s);
    queue->shut_down();
    one.join();
    two.join();
  });
}

BOOST_AUTO_TEST_CASE(no_key_starves) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_work_queue(runtime);
    queue->add("m");
    queue->add("a");
    queue->add("z");
    std::string order;
    for (int i = 0; i < 9; ++i) {
      const std::string key = got(*queue);
      order += key;
      queue->add(key);
      queue->done(key);
    }
    for (const char key : {'a', 'm', 'z'}) {
      expect(order.find(key) <= 4, "it comes before the others have come three times");
    }
  });
}

BOOST_AUTO_TEST_CASE(two_workers_get_two_keys) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_work_queue(runtime);
    const auto work = [&] { expect(got(*queue) != "nothing", "a key comes out"); };
    const auto one = spawn(runtime, "one", work);
    const auto two = spawn(runtime, "two", work);
    sleep_for(runtime, 1s);
    queue->add("a");
    queue->add("b");
    one.join();
    two.join();
  });
}

BOOST_AUTO_TEST_CASE(who_was_woken_for_nothing_waits_on) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_work_queue(runtime);
    const auto work = [&] { expect(got(*queue) != "nothing", "a key comes out"); };
    const auto one = spawn(runtime, "one", work);
    const auto two = spawn(runtime, "two", [&] {
      sleep_for(runtime, 1s);
      work();
    });
    sleep_for(runtime, 1s);
    queue->add("a");
    sleep_for(runtime, 1s);
    queue->add("b");
    one.join();
    two.join();
  });
}

BOOST_AUTO_TEST_CASE(a_key_that_comes_back_wakes_a_worker) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_work_queue(runtime);
    take_a(*queue);
    const auto other = spawn(runtime, "other", [&] { expect_equal(got(*queue), "a"); });
    sleep_for(runtime, 1s);
    queue->add("a");
    sleep_for(runtime, 1s);
    queue->done("a");
    other.join();
  });
}

BOOST_AUTO_TEST_CASE(a_delayed_key_comes_when_it_is_time) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_work_queue(runtime);
    queue->add_after("a", 10s);
    sleep_for(runtime, 9900ms);
    expect_equal(queue->size(), 0);
    sleep_for(runtime, 200ms);
    expect_equal(queue->size(), 1);
  });
}

BOOST_AUTO_TEST_CASE(the_caller_of_a_delay_does_not_wait) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_work_queue(runtime);
    const auto start = runtime.now();
    queue->add_after("a", 10s);
    expect(runtime.now() == start, "no time has passed");
  });
}

BOOST_AUTO_TEST_CASE(of_two_delays_the_nearer_counts_when_it_comes_first) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_work_queue(runtime);
    queue->add_after("a", 1s);
    queue->add_after("a", 10s);
    sleep_for(runtime, 2s);
    expect_equal(queue->size(), 1);
  });
}

BOOST_AUTO_TEST_CASE(of_two_delays_the_nearer_counts_when_it_comes_last) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_work_queue(runtime);
    queue->add_after("a", 10s);
    queue->add_after("a", 1s);
    sleep_for(runtime, 2s);
    expect_equal(queue->size(), 1);
  });
}

BOOST_AUTO_TEST_CASE(two_delays_add_a_key_once) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_work_queue(runtime);
    queue->add_after("a", 1s);
    queue->add_after("a", 10s);
    queue->add_after("a", 5s);
    expect_equal(got(*queue), "a");
    queue->done("a");
    sleep_for(runtime, 20s);
    expect_equal(queue->size(), 0);
  });
}

BOOST_AUTO_TEST_CASE(a_nearer_key_does_not_wait_for_a_farther_one) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_work_queue(runtime);
    queue->add_after("far", 1h);
    sleep_for(runtime, 1s);
    queue->add_after("near", 1s);
    sleep_for(runtime, 2s);
    expect_equal(queue->size(), 1);
  });
}

BOOST_AUTO_TEST_CASE(an_add_takes_no_delay_away) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_work_queue(runtime);
    queue->add_after("a", 10s);
    take_a(*queue);
    queue->done("a");
    sleep_for(runtime, 11s);
    expect_equal(queue->size(), 1);
  });
}

BOOST_AUTO_TEST_CASE(each_try_waits_twice_as_long) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_work_queue(runtime);
    for (const std::int64_t seconds : {1, 2, 4, 8, 16, 32, 60, 60, 60}) {
      expect_equal(seconds_until_it_comes(runtime, *queue, "a"), seconds);
    }
    expect_equal(queue->failures("a"), 9);
  });
}

BOOST_AUTO_TEST_CASE(keys_fail_apart) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_work_queue(runtime);
    for (const std::int64_t seconds : {1, 2, 4}) {
      expect_equal(seconds_until_it_comes(runtime, *queue, "a"), seconds);
    }
    expect_equal(queue->failures("b"), 0);
    expect_equal(seconds_until_it_comes(runtime, *queue, "b"), 1);
  });
}

BOOST_AUTO_TEST_CASE(after_a_success_the_count_begins_anew) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_work_queue(runtime);
    for (const std::int64_t seconds : {1, 2}) {
      expect_equal(seconds_until_it_comes(runtime, *queue, "a"), seconds);
    }
    queue->forget("a");
    expect_equal(queue->failures("a"), 0);
    expect_equal(seconds_until_it_comes(runtime, *queue, "a"), 1);
  });
}

BOOST_AUTO_TEST_CASE(what_is_forgotten_is_the_count_alone) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_work_queue(runtime);
    queue->add_after("a", 1s);
    queue->add("b");
    queue->forget("a");
    queue->forget("b");
    sleep_for(runtime, 2s);
    expect_equal(queue->size(), 2);
  });
}

BOOST_AUTO_TEST_CASE(what_waits_is_given_out_after_the_shut_down) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_work_queue(runtime);
    queue->add("a");
    queue->shut_down();
    expect_equal(got(*queue), "a");
    expect_equal(got(*queue), "nothing");
  });
}

BOOST_AUTO_TEST_CASE(nothing_is_added_after_the_shut_down) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_work_queue(runtime);
    queue->shut_down();
    queue->add("a");
    queue->add_after("b", 1s);
    queue->retry("c");
    sleep_for(runtime, 5s);
    expect_equal(got(*queue), "nothing");
  });
}

BOOST_AUTO_TEST_CASE(what_is_delayed_never_comes_after_the_shut_down) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_work_queue(runtime);
    queue->add_after("a", 1s);
    queue->shut_down();
    sleep_for(runtime, 5s);
    expect_equal(got(*queue), "nothing");
  });
}

BOOST_AUTO_TEST_CASE(what_was_added_meanwhile_comes_again_after_the_shut_down) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_work_queue(runtime);
    take_a(*queue);
    queue->add("a");
    queue->shut_down();
    queue->done("a");
    expect_equal(got(*queue), "a");
  });
}

BOOST_AUTO_TEST_CASE(the_shut_down_wakes_every_worker) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_work_queue(runtime);
    const auto work = [&] { expect_equal(got(*queue), "nothing"); };
    const auto one = spawn(runtime, "one", work);
    const auto two = spawn(runtime, "two", work);
    sleep_for(runtime, 1s);
    queue->shut_down();
    one.join();
    two.join();
  });
}

BOOST_AUTO_TEST_CASE(a_drain_waits_for_the_worker) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_work_queue(runtime);
    take_a(*queue);
    bool is_done = false;
    const auto drain = spawn(runtime, "drain", [&] {
      queue->shut_down_with_drain();
      expect(is_done, "the worker has ended its work");
    });
    sleep_for(runtime, 1s);
    is_done = true;
    queue->done("a");
    drain.join();
  });
}

BOOST_AUTO_TEST_CASE(every_drain_comes_back) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_work_queue(runtime);
    take_a(*queue);
    const auto one = spawn(runtime, "one", [&] { queue->shut_down_with_drain(); });
    const auto two = spawn(runtime, "two", [&] { queue->shut_down_with_drain(); });
    sleep_for(runtime, 1s);
    queue->done("a");
    one.join();
    two.join();
  });
}

BOOST_AUTO_TEST_CASE(any_task_may_look_and_change_at_any_time) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_work_queue(runtime);
    const auto add = spawn(runtime, "add", [&] { queue->add("a"); });
    const auto look = spawn(runtime, "look", [&] { expect(queue->size() < 3, "two at most"); });
    queue->add("b");
    add.join();
    look.join();
    expect_equal(queue->size(), 2);
  });
}
