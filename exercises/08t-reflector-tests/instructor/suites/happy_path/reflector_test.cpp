// What one writes first: everything goes well.
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <string>

#include "exercises/08t-reflector-tests/subject.hpp"
#include "exercises/toolkit/cluster.hpp"
#include "exercises/toolkit/worlds.hpp"

using namespace watchlab::exercise;
using namespace std::chrono_literals;
using watchlab::runtime::Runtime;

BOOST_AUTO_TEST_CASE(twenty_objects_arrive_and_change) {
  in_every_world([](Runtime& runtime) {
    Cluster cluster(runtime);
    const auto reflector = make_reflector(runtime, cluster.source(), cluster.mirror());
    for (int i = 0; i < 20; ++i) {
      cluster.create(std::to_string(i));
    }
    cluster.start(*reflector);
    cluster.wait(10s);
    expect_equal(cluster.in_mirror(), cluster.on_server());
    for (int i = 0; i < 20; ++i) {
      cluster.update(std::to_string(i));
    }
    cluster.wait(10s);
    expect_equal(cluster.in_mirror(), cluster.on_server());
    cluster.stop();
  });
}

BOOST_AUTO_TEST_CASE(an_object_comes_and_goes) {
  in_every_world([](Runtime& runtime) {
    Cluster cluster(runtime);
    const auto reflector = make_reflector(runtime, cluster.source(), cluster.mirror());
    cluster.start(*reflector);
    cluster.wait(10s);
    cluster.create("demo");
    cluster.wait(10s);
    cluster.remove("demo");
    cluster.wait(10s);
    expect_equal(cluster.in_mirror(), "");
    cluster.stop();
  });
}
