// Your tests of a work queue. Read subject.hpp first: a test may ask for what is promised there,
// and for nothing else.
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <optional>
#include <string>

#include "core/runtime/task.hpp"
#include "exercises/14-work-queue/subject.hpp"
#include "exercises/toolkit/worlds.hpp"

using namespace watchlab::exercise;
using namespace std::chrono_literals;
using watchlab::runtime::Runtime;
using watchlab::runtime::sleep_for;
using watchlab::runtime::spawn;

// One case to show the form: a worker that waits, and somebody who adds. It fails on correct
// libraries: fix it, then write more.
BOOST_AUTO_TEST_CASE(a_worker_gets_what_is_added) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_work_queue(runtime);
    const auto worker = spawn(runtime, "worker", [&] {
      const std::optional<std::string> key = queue->get();
      expect_equal(key.value_or("nothing"), "blue");
      queue->done("blue");
    });
    sleep_for(runtime, 1s);
    queue->add("red");
    worker.join();
  });
}
