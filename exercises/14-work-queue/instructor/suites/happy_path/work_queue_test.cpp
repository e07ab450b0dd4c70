// What one writes first: everything goes well, and one thing at a time.
#include <boost/test/unit_test.hpp>
#include <chrono>

#include "core/runtime/task.hpp"
#include "exercises/14-work-queue/subject.hpp"
#include "exercises/toolkit/worlds.hpp"

using namespace watchlab::exercise;
using namespace std::chrono_literals;
using watchlab::runtime::Runtime;
using watchlab::runtime::sleep_for;

BOOST_AUTO_TEST_CASE(what_is_added_comes_out) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_work_queue(runtime);
    queue->add("a");
    queue->add("a");
    expect_equal(queue->size(), 1);
    expect_equal(queue->get().value_or("nothing"), "a");
    queue->done("a");
    expect_equal(queue->size(), 0);
  });
}

BOOST_AUTO_TEST_CASE(a_delayed_key_comes_later) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_work_queue(runtime);
    queue->add_after("a", 10s);
    expect_equal(queue->size(), 0);
    sleep_for(runtime, 11s);
    expect_equal(queue->size(), 1);
  });
}

BOOST_AUTO_TEST_CASE(failures_are_counted_until_they_are_forgotten) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_work_queue(runtime);
    queue->retry("a");
    expect_equal(queue->failures("a"), 1);
    queue->forget("a");
    expect_equal(queue->failures("a"), 0);
  });
}
