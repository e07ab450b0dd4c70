// What one writes first: everything goes well, and one thing at a time.
#include <boost/test/unit_test.hpp>

#include "exercises/06-tombstones/changes.hpp"
#include "exercises/06-tombstones/subject.hpp"
#include "exercises/toolkit/objects.hpp"
#include "exercises/toolkit/worlds.hpp"

using namespace watchlab::exercise;
using watchlab::runtime::Runtime;

BOOST_AUTO_TEST_CASE(add_update_remove) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime);
    queue->add(object("a", "1"));
    expect_equal(deltas_of(*queue, "a"), "Added a@1");
    queue->update(object("a", "2"));
    expect_equal(deltas_of(*queue, "a"), "Updated a@2");
    queue->remove(object("a", "3"));
    expect_equal(deltas_of(*queue, "a"), "Deleted a@3");
    expect_equal(text_of_store(*queue), "");
  });
}

BOOST_AUTO_TEST_CASE(a_list_replaces_the_store) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime, {object("a", "1")});
    queue->replace({object("b", "2")});
    expect_equal(deltas_of(*queue, "b"), "Replaced b@2");
    expect_equal(text_of_store(*queue), "b@2");
  });
}

BOOST_AUTO_TEST_CASE(a_resync_tells_again) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime, {object("a", "1")});
    queue->resync();
    expect_equal(deltas_of(*queue, "a"), "Sync a@1");
  });
}
