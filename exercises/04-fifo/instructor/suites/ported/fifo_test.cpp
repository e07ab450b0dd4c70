// What client-go's own tests of its FIFO look at (TestFIFO_basic, TestFIFO_addUpdate,
// TestFIFO_detectLineJumpers), as far as this queue promises it.
#include <boost/test/unit_test.hpp>
#include <map>
#include <string>

#include "core/runtime/task.hpp"
#include "exercises/04-fifo/subject.hpp"
#include "exercises/toolkit/objects.hpp"
#include "exercises/toolkit/worlds.hpp"

using namespace watchlab::exercise;
using watchlab::runtime::Runtime;
using watchlab::runtime::spawn;

BOOST_AUTO_TEST_CASE(two_producers_and_a_worker) {
  in_every_world([](Runtime& runtime) {
    constexpr int each = 10;
    const auto queue = make_queue(runtime);
    const auto produce = [&](const std::string& who) {
      for (int i = 0; i < each; ++i) {
        queue->add(object(who + "/" + std::to_string(i), std::to_string(i)));
      }
    };
    const auto a = spawn(runtime, "a", [&] { produce("a"); });
    const auto b = spawn(runtime, "b", [&] { produce("b"); });
    std::map<std::string, int> next;
    for (int i = 0; i < 2 * each; ++i) {
      const auto popped = queue->pop();
      expect_equal(popped->metadata.resource_version,
                   std::to_string(next[popped->metadata.namespace_]++));
    }
    a.join();
    b.join();
  });
}

BOOST_AUTO_TEST_CASE(add_and_update_come_out_as_one) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime);
    queue->add(object("foo", "10"));
    queue->update(object("foo", "15"));
    expect_equal(queue->list().size(), 1);
    expect_equal(text_of(queue->pop()), "foo@15");
    expect(queue->get("foo") == nullptr, "foo came out");
  });
}

BOOST_AUTO_TEST_CASE(nobody_jumps_the_line) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime);
    queue->add(object("foo", "10"));
    queue->add(object("bar", "1"));
    queue->add(object("foo", "11"));
    queue->add(object("foo", "13"));
    queue->add(object("zab", "30"));
    expect_equal(text_of(queue->pop()), "foo@13");
    expect_equal(text_of(queue->pop()), "bar@1");
    expect_equal(text_of(queue->pop()), "zab@30");
  });
}
