#include <boost/test/unit_test.hpp>

#include "core/runtime/task.hpp"
#include "exercises/toolkit/worlds.hpp"
#include "tests/exercises/grader/hostile/90-counter/subject.hpp"

using namespace watchlab::exercise;
using watchlab::runtime::Runtime;

BOOST_AUTO_TEST_CASE(one_is_one) {
  in_every_world([](Runtime& runtime) {
    const auto counter = make_counter(runtime);
    counter->add();
    expect_equal(counter->value(), 1);
  });
}

BOOST_AUTO_TEST_CASE(two_tasks_count_two) {
  in_every_world([](Runtime& runtime) {
    const auto counter = make_counter(runtime);
    const auto other = watchlab::runtime::spawn(runtime, "other", [&] { counter->add(); });
    counter->add();
    other.join();
    expect_equal(counter->value(), 2);
  });
}
