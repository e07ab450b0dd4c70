// Your tests of a reflector, a queue, a worker and a store together. Read subject.hpp first, then
// exercises/toolkit/cluster.hpp: a server, its network and a store to look into. A test may ask for
// what is promised, and for nothing else.
#include <boost/test/unit_test.hpp>
#include <chrono>

#include "exercises/20-all-together/subject.hpp"
#include "exercises/toolkit/cluster.hpp"
#include "exercises/toolkit/worlds.hpp"

using namespace watchlab::exercise;
using namespace std::chrono_literals;
using watchlab::runtime::Runtime;

// One case to show the form: an object goes all the way. It fails on correct pipelines, because it
// asks for more than is promised. Fix it, then write more.
BOOST_AUTO_TEST_CASE(what_is_created_reaches_the_store) {
  in_every_world([](Runtime& runtime) {
    Cluster cluster(runtime);
    const auto pipeline = make_pipeline(runtime, cluster.source(), cluster.mirror(), 10s);
    cluster.start(*pipeline);
    cluster.create("demo");
    cluster.wait(1s);
    expect_equal(cluster.in_mirror(), cluster.on_server());
    cluster.stop();
  });
}
