// What client-go's own tests of its reflector look at (TestReflectorWatchHandler,
// TestReflectorWatchHandlerError, TestReflectorStopWatch, TestReflectorListAndWatch,
// TestReflectorListAndWatchWithErrors), as far as this reflector promises it.
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <string>

#include "exercises/08t-reflector-tests/subject.hpp"
#include "exercises/toolkit/cluster.hpp"
#include "exercises/toolkit/worlds.hpp"

using namespace watchlab::exercise;
using namespace std::chrono_literals;
using watchlab::runtime::Runtime;

BOOST_AUTO_TEST_CASE(events_change_the_store) {
  in_every_world([](Runtime& runtime) {
    Cluster cluster(runtime);
    const auto reflector = make_reflector(runtime, cluster.source(), cluster.mirror());
    cluster.create("foo");
    cluster.create("bar");
    cluster.start(*reflector);
    cluster.wait(1s);
    cluster.update("foo");
    cluster.remove("bar");
    cluster.create("baz");
    cluster.wait(1s);
    expect_equal(cluster.in_mirror(), cluster.on_server());
    cluster.stop();
  });
}

BOOST_AUTO_TEST_CASE(another_kind_is_passed_over) {
  in_every_world([](Runtime& runtime) {
    Cluster cluster(runtime);
    const auto reflector = make_reflector(runtime, cluster.source(), cluster.mirror());
    cluster.start(*reflector);
    cluster.wait(1s);
    cluster.inject("wrong_kind");
    cluster.create("foo");
    cluster.create("bar");
    cluster.wait(1s);
    expect_equal(cluster.in_mirror(), "");
    cluster.stop();
  });
}

BOOST_AUTO_TEST_CASE(a_stop_ends_it) {
  in_every_world([](Runtime& runtime) {
    Cluster cluster(runtime);
    const auto reflector = make_reflector(runtime, cluster.source(), cluster.mirror());
    cluster.start(*reflector);
    cluster.wait(1s);
    cluster.stop();
    cluster.wait(1s);
    expect_equal(cluster.watches_open(), 0);
  });
}

BOOST_AUTO_TEST_CASE(errors_do_not_end_it) {
  in_every_world([](Runtime& runtime) {
    Cluster cluster(runtime);
    const auto reflector = make_reflector(runtime, cluster.source(), cluster.mirror());
    cluster.inject("fail_requests", 2, "internal");
    cluster.create("foo");
    cluster.start(*reflector);
    cluster.wait(2min);
    cluster.create("bar");
    cluster.inject("close_watch", 1);
    cluster.wait(2min);
    cluster.create("baz");
    cluster.wait(2min);
    expect_equal(cluster.in_mirror(), cluster.on_server());
    cluster.stop();
  });
}
