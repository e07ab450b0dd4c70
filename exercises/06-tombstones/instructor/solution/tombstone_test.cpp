// The reference suite: one case a promise, and one for each way to misread it.
#include <boost/test/unit_test.hpp>

#include "core/runtime/task.hpp"
#include "exercises/06-tombstones/changes.hpp"
#include "exercises/06-tombstones/subject.hpp"
#include "exercises/toolkit/objects.hpp"
#include "exercises/toolkit/worlds.hpp"

using namespace watchlab::exercise;
using watchlab::runtime::Runtime;
using watchlab::runtime::spawn;

BOOST_AUTO_TEST_CASE(a_list_deletes_what_only_the_store_has) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime, {object("a", "1")});
    queue->replace({});
    expect_equal(told_of(*queue, "a"), "Deleted gone(a@1)");
    expect_equal(text_of_store(*queue), "");
  });
}

BOOST_AUTO_TEST_CASE(a_list_deletes_what_only_the_queue_has) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime);
    queue->add(object("a", "1"));
    queue->replace({});
    expect_equal(told_of(*queue, "a"), "Added a@1, Deleted gone(a@1)");
  });
}

BOOST_AUTO_TEST_CASE(two_deletions_are_told_as_one) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime, {object("a", "1")});
    queue->remove(object("a", "2"));
    queue->remove(object("a", "2"));
    expect_equal(told_of(*queue, "a"), "Deleted a@2");
  });
}

BOOST_AUTO_TEST_CASE(a_deletion_that_was_seen_beats_a_tombstone) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime, {object("a", "1")});
    queue->remove(object("a", "5"));
    queue->replace({});
    expect_equal(told_of(*queue, "a"), "Deleted a@5");
  });
}

BOOST_AUTO_TEST_CASE(a_tombstone_carries_the_state_also_after_a_second_list) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime, {object("a", "1")});
    queue->replace({});
    queue->replace({});
    expect_equal(told_of(*queue, "a"), "Deleted gone(a@1)");
  });
}

BOOST_AUTO_TEST_CASE(every_update_is_told) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime, {object("a", "1")});
    queue->update(object("a", "2"));
    queue->update(object("a", "3"));
    expect_equal(told_of(*queue, "a"), "Updated a@2, Updated a@3");
  });
}

BOOST_AUTO_TEST_CASE(a_deletion_that_overtakes_the_consumer_is_told) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime);
    queue->add(object("a", "1"));
    queue->remove(object("a", "2"));
    expect_equal(told_of(*queue, "a"), "Added a@1, Deleted a@2");
  });
}

BOOST_AUTO_TEST_CASE(what_is_listed_after_its_deletion_is_back) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime, {object("a", "1")});
    queue->remove(object("a", "2"));
    queue->replace({object("a", "3")});
    (void)told_of(*queue, "a");
    expect_equal(text_of_store(*queue), "a@3");
  });
}

BOOST_AUTO_TEST_CASE(a_resync_tells_what_is_stored) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime, {object("a", "1")});
    queue->resync();
    expect_equal(told_of(*queue, "a"), "Sync a@1");
  });
}

BOOST_AUTO_TEST_CASE(a_resync_tells_nothing_old_behind_something_new) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime, {object("a", "1")});
    queue->update(object("a", "2"));
    queue->resync();
    expect_equal(told_of(*queue, "a"), "Updated a@2");
  });
}

BOOST_AUTO_TEST_CASE(a_list_finds_what_a_consumer_is_carrying) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime);
    queue->add(object("a", "1"));
    const auto consumer = spawn(runtime, "consumer", [&] { (void)queue->pop(); });
    queue->replace({});
    consumer.join();
    (void)told_of(*queue, "a");
    expect_equal(text_of_store(*queue), "");
  });
}

BOOST_AUTO_TEST_CASE(it_has_synced_when_the_deletions_are_through_too) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime, {object("a", "1")});
    queue->replace({object("b", "2")});
    while (!queue->empty()) {
      expect(!queue->has_synced(), "something of the first list still waits");
      (void)queue->pop();
    }
    expect(queue->has_synced(), "all of it was popped");
  });
}

BOOST_AUTO_TEST_CASE(a_name_that_is_listed_twice_counts_once) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime);
    queue->replace({object("a", "1"), object("a", "2")});
    (void)told_of(*queue, "a");
    expect(queue->has_synced(), "all of it was popped");
  });
}

BOOST_AUTO_TEST_CASE(a_list_tells_replaced) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime);
    queue->replace({object("a", "1")});
    expect_equal(told_of(*queue, "a"), "Replaced a@1");
  });
}

BOOST_AUTO_TEST_CASE(a_waiting_consumer_is_woken) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime);
    const auto producer = spawn(runtime, "producer", [&] { queue->add(object("a", "1")); });
    expect_equal(text_of(queue->pop()), "Added a@1");
    producer.join();
  });
}
