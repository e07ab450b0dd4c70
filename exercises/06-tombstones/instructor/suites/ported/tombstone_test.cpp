// What client-go's own tests of its DeltaFIFO look at (TestDeltaFIFO_addUpdate, _addReplace,
// _ResyncNonExisting, _ReplaceMakesDeletions, _ReplaceMakesDeletionsReplaced,
// _HasSyncedCorrectOnDeletion, _KeyOf without the keys), as far as this queue promises it.
#include <boost/test/unit_test.hpp>

#include "exercises/06-tombstones/changes.hpp"
#include "exercises/06-tombstones/subject.hpp"
#include "exercises/toolkit/objects.hpp"
#include "exercises/toolkit/worlds.hpp"

using namespace watchlab::exercise;
using watchlab::runtime::Runtime;

BOOST_AUTO_TEST_CASE(add_update) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime);
    queue->add(object("foo", "10"));
    queue->update(object("foo", "12"));
    queue->remove(object("foo", "15"));
    expect_equal(deltas_of(*queue, "foo"), "Added foo@10, Updated foo@12, Deleted foo@15");
  });
}

BOOST_AUTO_TEST_CASE(add_replace) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime);
    queue->add(object("foo", "10"));
    queue->replace({object("foo", "15")});
    expect_equal(deltas_of(*queue, "foo"), "Added foo@10, Replaced foo@15");
  });
}

BOOST_AUTO_TEST_CASE(resync_of_what_is_queued_for_deletion) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime, {object("foo", "5")});
    queue->remove(object("foo", "10"));
    queue->resync();
    expect_equal(deltas_of(*queue, "foo"), "Deleted foo@10");
  });
}

BOOST_AUTO_TEST_CASE(replace_makes_deletions_for_the_store) {
  in_every_world([](Runtime& runtime) {
    const auto queue =
        make_queue(runtime, {object("foo", "5"), object("bar", "6"), object("baz", "7")});
    queue->remove(object("baz", "10"));
    queue->replace({object("foo", "5")});
    expect_equal(deltas_of(*queue, "bar"), "Deleted gone(bar@6)");
    expect_equal(text_of_store(*queue), "foo@5");
  });
}

BOOST_AUTO_TEST_CASE(replace_makes_deletions_for_the_queue) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime);
    queue->add(object("baz", "10"));
    queue->replace({object("foo", "5")});
    expect_equal(deltas_of(*queue, "baz"), "Added baz@10, Deleted gone(baz@10)");
  });
}

BOOST_AUTO_TEST_CASE(deleted_once) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime, {object("foo", "5")});
    queue->remove(object("foo", "10"));
    queue->remove(object("foo", "10"));
    expect_equal(deltas_of(*queue, "foo"), "Deleted foo@10");
  });
}

BOOST_AUTO_TEST_CASE(has_synced) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime);
    expect(!queue->has_synced(), "nothing has happened");
    queue->replace({object("foo", "1"), object("bar", "2")});
    expect(!queue->has_synced(), "nothing was popped");
    (void)deltas_of(*queue, "foo");
    expect(queue->has_synced(), "all was popped");
  });
}
