// The visible tests of your queue.
#include <boost/test/unit_test.hpp>

#include "core/runtime/task.hpp"
#include "exercises/05-delta-fifo/consumer.hpp"
#include "exercises/05-delta-fifo/subject.hpp"
#include "exercises/toolkit/objects.hpp"
#include "exercises/toolkit/worlds.hpp"

using namespace watchlab::exercise;
using watchlab::runtime::Runtime;
using watchlab::runtime::spawn;

BOOST_AUTO_TEST_CASE(all_changes_of_an_object_come_at_once_and_in_order) {
  in_every_world([](Runtime& runtime) {
    Consumer consumer;
    const auto queue = make_queue(runtime, consumer);
    queue->add(object("a", "1"));
    queue->update(object("a", "2"));
    queue->update(object("a", "3"));
    expect_equal(consumer.pop(*queue), "Added a@1, Updated a@2, Updated a@3");
    expect_equal(text_of(queue->queued("a")), "");
  });
}

BOOST_AUTO_TEST_CASE(what_is_queued_can_be_looked_at) {
  in_every_world([](Runtime& runtime) {
    Consumer consumer;
    const auto queue = make_queue(runtime, consumer);
    queue->add(object("a", "1"));
    queue->update(object("a", "2"));
    expect_equal(text_of(queue->queued("a")), "Added a@1, Updated a@2");
    expect_equal(text_of(queue->queued("b")), "");
  });
}

BOOST_AUTO_TEST_CASE(an_object_keeps_its_place) {
  in_every_world([](Runtime& runtime) {
    Consumer consumer;
    const auto queue = make_queue(runtime, consumer);
    queue->add(object("b", "1"));
    queue->add(object("a", "2"));
    queue->update(object("b", "3"));
    expect_equal(joined(queue->keys()), "b a");
    expect_equal(consumer.pop(*queue), "Added b@1, Updated b@3");
    expect_equal(joined(queue->keys()), "a");
  });
}

BOOST_AUTO_TEST_CASE(a_known_object_can_be_deleted) {
  in_every_world([](Runtime& runtime) {
    Consumer consumer;
    consumer.know("a");
    const auto queue = make_queue(runtime, consumer);
    queue->remove(object("a", "2"));
    expect_equal(consumer.pop(*queue), "Deleted a@2");
    expect(!consumer.has("a"), "it was deleted");
  });
}

BOOST_AUTO_TEST_CASE(nothing_is_delivered_of_a_stranger) {
  in_every_world([](Runtime& runtime) {
    Consumer consumer;
    const auto queue = make_queue(runtime, consumer);
    queue->remove(object("a", "2"));
    expect_equal(joined(queue->keys()), "");
  });
}

BOOST_AUTO_TEST_CASE(a_deletion_is_delivered_once) {
  in_every_world([](Runtime& runtime) {
    Consumer consumer;
    consumer.know("a");
    const auto queue = make_queue(runtime, consumer);
    queue->remove(object("a", "2"));
    queue->remove(object("a", "3"));
    expect_equal(consumer.pop(*queue), "Deleted a@2");
  });
}

BOOST_AUTO_TEST_CASE(a_pop_waits_for_a_change) {
  in_every_world([](Runtime& runtime) {
    Consumer consumer;
    const auto queue = make_queue(runtime, consumer);
    const auto producer = spawn(runtime, "producer", [&] { queue->add(object("a", "1")); });
    expect_equal(consumer.pop(*queue), "Added a@1");
    producer.join();
  });
}

BOOST_AUTO_TEST_CASE(a_closed_queue_can_be_emptied) {
  in_every_world([](Runtime& runtime) {
    Consumer consumer;
    const auto queue = make_queue(runtime, consumer);
    queue->add(object("a", "1"));
    queue->close();
    expect_equal(consumer.pop(*queue), "Added a@1");
    expect_equal(consumer.pop(*queue), "closed");
  });
}
