// Your tests of lists, tombstones and resyncs. Read subject.hpp first, and changes.hpp for short
// ways to read what a queue delivers. A test may ask for what is promised, and for nothing else.
#include <boost/test/unit_test.hpp>

#include "core/runtime/task.hpp"
#include "exercises/06-tombstones/changes.hpp"
#include "exercises/06-tombstones/subject.hpp"
#include "exercises/toolkit/objects.hpp"
#include "exercises/toolkit/worlds.hpp"

using namespace watchlab::exercise;
using watchlab::runtime::Runtime;
using watchlab::runtime::spawn;

// One case to show the form. It fails on correct libraries: fix it, then write more.
BOOST_AUTO_TEST_CASE(an_added_object_is_delivered_and_stored) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime, {object("old", "1")});
    queue->add(object("demo", "2"));
    expect_equal(deltas_of(*queue, "demo"), "Added demo@1");
    expect_equal(text_of_store(*queue), "demo@2 old@1");
  });
}
