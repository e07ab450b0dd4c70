// What one writes first: everything goes well, and the worker is fast.
#include <boost/test/unit_test.hpp>
#include <chrono>

#include "exercises/20-all-together/subject.hpp"
#include "exercises/toolkit/cluster.hpp"
#include "exercises/toolkit/worlds.hpp"

using namespace watchlab::exercise;
using namespace std::chrono_literals;
using watchlab::runtime::Runtime;

BOOST_AUTO_TEST_CASE(an_object_comes_changes_and_goes) {
  in_every_world([](Runtime& runtime) {
    Cluster cluster(runtime);
    const auto pipeline = make_pipeline(runtime, cluster.source(), cluster.mirror(), 1ms);
    cluster.start(*pipeline);
    cluster.wait(10s);
    cluster.create("demo");
    cluster.wait(10s);
    cluster.update("demo");
    cluster.wait(10s);
    expect_equal(cluster.in_mirror(), cluster.on_server());
    cluster.remove("demo");
    cluster.wait(10s);
    expect_equal(cluster.in_mirror(), "");
    cluster.stop();
  });
}
