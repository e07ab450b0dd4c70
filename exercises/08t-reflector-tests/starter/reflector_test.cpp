// Your tests of a reflector. Read subject.hpp first, then exercises/toolkit/cluster.hpp: a server,
// its network and a mirror to play with. A test may ask for what is promised, and for nothing else.
#include <boost/test/unit_test.hpp>
#include <chrono>

#include "exercises/08t-reflector-tests/subject.hpp"
#include "exercises/toolkit/cluster.hpp"
#include "exercises/toolkit/worlds.hpp"

using namespace watchlab::exercise;
using namespace std::chrono_literals;
using watchlab::runtime::Runtime;

// One case to show the form. It fails on correct libraries: fix it, then write more.
BOOST_AUTO_TEST_CASE(what_is_created_arrives) {
  in_every_world([](Runtime& runtime) {
    Cluster cluster(runtime);
    const auto reflector = make_reflector(runtime, cluster.source(), cluster.mirror());
    cluster.start(*reflector);
    cluster.create("demo");
    cluster.wait(1ms);
    expect_equal(cluster.in_mirror(), cluster.on_server());
    cluster.stop();
  });
}
