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
    expect_equal(deltas_of(*queue, "a"), "Deleted gone(a@1)");
    expect_equal(text_of_store(*queue), "");
  });
}

BOOST_AUTO_TEST_CASE(a_list_deletes_what_only_the_queue_has) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime);
    queue->add(object("a", "1"));
    queue->replace({});
    expect_equal(deltas_of(*queue, "a"), "Added a@1, Deleted gone(a@1)");
  });
}

BOOST_AUTO_TEST_CASE(two_deletions_are_told_as_one) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime, {object("a", "1")});
    queue->remove(object("a", "2"));
    queue->remove(object("a", "2"));
    expect_equal(deltas_of(*queue, "a"), "Deleted a@2");
  });
}

BOOST_AUTO_TEST_CASE(a_deletion_that_was_seen_beats_a_tombstone) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime, {object("a", "1")});
    queue->remove(object("a", "5"));
    queue->replace({});
    expect_equal(deltas_of(*queue, "a"), "Deleted a@5");
  });
}

BOOST_AUTO_TEST_CASE(a_tombstone_carries_the_state_also_after_a_second_list) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime, {object("a", "1")});
    queue->replace({});
    queue->replace({});
    expect_equal(deltas_of(*queue, "a"), "Deleted gone(a@1)");
  });
}

BOOST_AUTO_TEST_CASE(every_update_is_told) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime, {object("a", "1")});
    queue->update(object("a", "2"));
    queue->update(object("a", "3"));
    expect_equal(deltas_of(*queue, "a"), "Updated a@2, Updated a@3");
  });
}

BOOST_AUTO_TEST_CASE(a_deletion_that_overtakes_the_consumer_is_told) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime);
    queue->add(object("a", "1"));
    queue->remove(object("a", "2"));
    expect_equal(deltas_of(*queue, "a"), "Added a@1, Deleted a@2");
  });
}

BOOST_AUTO_TEST_CASE(what_is_listed_after_its_deletion_is_back) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime, {object("a", "1")});
    queue->remove(object("a", "2"));
    queue->replace({object("a", "3")});
    (void)deltas_of(*queue, "a");
    expect_equal(text_of_store(*queue), "a@3");
  });
}

BOOST_AUTO_TEST_CASE(a_resync_tells_what_is_stored) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime, {object("a", "1")});
    queue->resync();
    expect_equal(deltas_of(*queue, "a"), "Sync a@1");
  });
}

BOOST_AUTO_TEST_CASE(a_resync_tells_nothing_old_behind_something_new) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime, {object("a", "1")});
    queue->update(object("a", "2"));
    queue->resync();
    expect_equal(deltas_of(*queue, "a"), "Updated a@2");
  });
}

BOOST_AUTO_TEST_CASE(a_list_finds_what_a_consumer_is_carrying) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime);
    queue->add(object("a", "1"));
    const auto consumer = spawn(runtime, "consumer", [&] { (void)queue->pop(); });
    queue->replace({});
    consumer.join();
    (void)deltas_of(*queue, "a");
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
    (void)deltas_of(*queue, "a");
    expect(queue->has_synced(), "all of it was popped");
  });
}

BOOST_AUTO_TEST_CASE(a_list_tells_replaced) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime);
    queue->replace({object("a", "1")});
    expect_equal(deltas_of(*queue, "a"), "Replaced a@1");
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

BOOST_AUTO_TEST_CASE(namesakes_are_different_objects) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime, {object("blue/a", "1"), object("green/a", "1")});
    queue->remove(object("blue/a", "2"));
    expect_equal(deltas_of(*queue, "blue/a"), "Deleted blue/a@2");
    expect_equal(text_of_store(*queue), "green/a@1");
  });
}

BOOST_AUTO_TEST_CASE(after_a_list_of_nothing_it_has_synced) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime);
    queue->replace({});
    expect(queue->has_synced(), "there is nothing to pop");
  });
}

BOOST_AUTO_TEST_CASE(a_tombstone_carries_the_newest_queued_state) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime, {object("a", "1")});
    queue->update(object("a", "2"));
    queue->replace({});
    expect_equal(deltas_of(*queue, "a"), "Updated a@2, Deleted gone(a@2)");
  });
}

BOOST_AUTO_TEST_CASE(a_deletion_that_is_seen_after_the_list_beats_its_tombstone) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime, {object("a", "1")});
    queue->replace({});
    queue->remove(object("a", "5"));
    expect_equal(deltas_of(*queue, "a"), "Deleted a@5");
  });
}

BOOST_AUTO_TEST_CASE(a_list_tells_what_has_not_changed_too) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime, {object("a", "1")});
    queue->replace({object("a", "1")});
    expect_equal(deltas_of(*queue, "a"), "Replaced a@1");
  });
}

BOOST_AUTO_TEST_CASE(no_update_is_dropped_whatever_its_version) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime, {object("a", "5")});
    queue->update(object("a", "5"));
    queue->update(object("a", "5"));
    queue->update(object("a", "3"));
    expect_equal(deltas_of(*queue, "a"), "Updated a@5, Updated a@5, Updated a@3");
  });
}

BOOST_AUTO_TEST_CASE(a_consumer_is_woken_by_a_list) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime);
    const auto producer = spawn(runtime, "producer", [&] { queue->replace({object("a", "1")}); });
    expect_equal(text_of(queue->pop()), "Replaced a@1");
    producer.join();
  });
}

BOOST_AUTO_TEST_CASE(a_consumer_is_woken_by_a_deletion) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime, {object("a", "1")});
    const auto producer = spawn(runtime, "producer", [&] { queue->remove(object("a", "2")); });
    expect_equal(text_of(queue->pop()), "Deleted a@2");
    producer.join();
  });
}

BOOST_AUTO_TEST_CASE(a_consumer_is_woken_by_a_resync) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime, {object("a", "1")});
    const auto producer = spawn(runtime, "producer", [&] { queue->resync(); });
    expect_equal(text_of(queue->pop()), "Sync a@1");
    producer.join();
  });
}

// Queued, on its way, or stored: wherever the deletion meets it.
BOOST_AUTO_TEST_CASE(a_deletion_is_told_wherever_the_object_is) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime);
    queue->add(object("a", "1"));
    const auto consumer = spawn(runtime, "consumer", [&] { (void)queue->pop(); });
    queue->remove(object("a", "2"));
    consumer.join();
    (void)deltas_of(*queue, "a");
    expect_equal(text_of_store(*queue), "");
  });
}

BOOST_AUTO_TEST_CASE(a_resync_brings_nothing_back) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime, {object("a", "1")});
    const auto other = spawn(runtime, "other", [&] {
      queue->remove(object("a", "2"));
      (void)queue->pop();
    });
    queue->resync();
    other.join();
    (void)deltas_of(*queue, "a");
    expect_equal(text_of_store(*queue), "");
  });
}

BOOST_AUTO_TEST_CASE(who_has_synced_has_stored_the_whole_list) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime, {object("a", "1")});
    const auto consumer = spawn(runtime, "consumer", [&] {
      (void)queue->pop();
      if (queue->has_synced()) {
        expect_equal(text_of_store(*queue), "b@2");
      }
    });
    queue->replace({object("b", "2")});
    consumer.join();
  });
}

BOOST_AUTO_TEST_CASE(once_it_has_synced_it_stays_so) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime);
    queue->replace({});
    for (const char* name : {"a", "b", "c", "d"}) {
      queue->add(object(name, "1"));
    }
    expect(queue->has_synced(), "the first list is through");
  });
}
