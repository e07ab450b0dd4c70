// The hidden tests: what the visible ones leave open.
#include <boost/test/unit_test.hpp>
#include <chrono>

#include "core/runtime/task.hpp"
#include "exercises/05-delta-fifo/consumer.hpp"
#include "exercises/05-delta-fifo/subject.hpp"
#include "exercises/toolkit/objects.hpp"
#include "exercises/toolkit/worlds.hpp"

using namespace watchlab::exercise;
using watchlab::runtime::Runtime;
using watchlab::runtime::sleep_for;
using watchlab::runtime::spawn;

BOOST_AUTO_TEST_CASE(a_deletion_that_overtakes_the_consumer_is_told) {
  in_every_world([](Runtime& runtime) {
    Consumer consumer;
    const auto queue = make_queue(runtime, consumer);
    queue->add(object("a", "1"));
    queue->remove(object("a", "2"));
    queue->add(object("a", "3"));
    expect_equal(consumer.pop(*queue), "Added a@1, Deleted a@2, Added a@3");
  });
}

BOOST_AUTO_TEST_CASE(the_line_is_in_the_order_of_arrival) {
  in_every_world([](Runtime& runtime) {
    Consumer consumer;
    const auto queue = make_queue(runtime, consumer);
    for (const char* name : {"e", "c", "a", "d", "b"}) {
      queue->add(object(name, "1"));
    }
    expect_equal(joined(queue->keys()), "e c a d b");
    expect_equal(consumer.pop(*queue), "Added e@1");
  });
}

// A reader that gets in between would find the object neither queued nor known.
BOOST_AUTO_TEST_CASE(nobody_gets_in_while_changes_are_processed) {
  in_every_world([](Runtime& runtime) {
    Consumer consumer;
    const auto queue = make_queue(runtime, consumer);
    queue->add(object("a", "1"));
    bool is_processing = false;
    const auto reader = spawn(runtime, "reader", [&] {
      sleep_for(runtime, std::chrono::milliseconds(500));
      expect_equal(joined(queue->keys()), "");
      expect(!is_processing, "nobody gets in before the changes are stored");
    });
    (void)queue->pop([&](const std::string&, const Changes&) {
      is_processing = true;
      sleep_for(runtime, std::chrono::seconds(1));
      is_processing = false;
    });
    reader.join();
  });
}

BOOST_AUTO_TEST_CASE(closing_wakes_everybody) {
  in_every_world([](Runtime& runtime) {
    Consumer consumer;
    const auto queue = make_queue(runtime, consumer);
    const auto wait = [&] { expect_equal(consumer.pop(*queue), "closed"); };
    const auto one = spawn(runtime, "one", wait);
    const auto two = spawn(runtime, "two", wait);
    queue->close();
    one.join();
    two.join();
  });
}

BOOST_AUTO_TEST_CASE(two_consumers_get_two_objects) {
  in_every_world([](Runtime& runtime) {
    Consumer consumer;
    const auto queue = make_queue(runtime, consumer);
    const auto work = [&] { expect(consumer.pop(*queue) != "closed", "it gets an object"); };
    const auto one = spawn(runtime, "one", work);
    const auto two = spawn(runtime, "two", work);
    queue->add(object("a", "1"));
    queue->add(object("b", "1"));
    one.join();
    two.join();
    expect_equal(joined(queue->keys()), "");
  });
}

BOOST_AUTO_TEST_CASE(a_closed_queue_takes_more) {
  in_every_world([](Runtime& runtime) {
    Consumer consumer;
    const auto queue = make_queue(runtime, consumer);
    queue->close();
    queue->add(object("a", "1"));
    expect_equal(consumer.pop(*queue), "Added a@1");
  });
}

BOOST_AUTO_TEST_CASE(a_popped_object_can_come_again) {
  in_every_world([](Runtime& runtime) {
    Consumer consumer;
    const auto queue = make_queue(runtime, consumer);
    queue->add(object("a", "1"));
    expect_equal(consumer.pop(*queue), "Added a@1");
    queue->update(object("a", "2"));
    expect_equal(consumer.pop(*queue), "Updated a@2");
  });
}
