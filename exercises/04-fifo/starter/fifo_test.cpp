// Your tests of a queue. Read subject.hpp first: a test may ask for what is promised there, and for
// nothing else.
#include <boost/test/unit_test.hpp>

#include "core/runtime/task.hpp"
#include "exercises/04-fifo/subject.hpp"
#include "exercises/toolkit/objects.hpp"
#include "exercises/toolkit/worlds.hpp"

using namespace watchlab::exercise;
using watchlab::runtime::Runtime;
using watchlab::runtime::spawn;

// One case to show the form: a worker that waits, and a producer. It fails on correct libraries:
// fix it, then write more.
BOOST_AUTO_TEST_CASE(a_worker_gets_what_a_producer_adds) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime);
    const auto producer = spawn(runtime, "producer", [&] { queue->add(object("demo", "1")); });
    expect_equal(text_of(queue->pop()), "demo@2");
    producer.join();
  });
}
