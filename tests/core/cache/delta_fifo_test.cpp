#include "core/cache/delta_fifo.hpp"

#include <boost/test/unit_test.hpp>

#include "core/cache/cache.hpp"
#include "core/runtime/task.hpp"
#include "tests/core/cache/queues.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(delta_fifo_test)

namespace {

using cache::DeltaFIFO;

}  // namespace

// Mirrors TestDeltaFIFO_basic. Each producer has three keys, and of the middle one two states.
BOOST_AUTO_TEST_CASE(producers_and_a_consumer_lose_nothing_and_keep_the_order) {
  holds_everywhere([](runtime::Runtime& runtime) {
    DeltaFIFO queue(runtime);
    const auto producer = [&](const std::string& name) {
      for (int i = 1; i <= 4; ++i) {
        expect_ok(queue.add(object(name + std::to_string(i / 2), std::to_string(i))));
      }
    };
    const auto first = runtime::spawn(runtime, "first", [&] { producer("a"); });
    const auto second = runtime::spawn(runtime, "second", [&] { producer("b"); });
    std::string seen[2];
    while (seen[0].size() + seen[1].size() < 8) {
      const cache::Popped popped = queue.pop(ignore);
      for (const cache::Delta& delta : std::get<cache::Deltas>(popped.item)) {
        const api::ObjectPtr state = cache::object_of(delta.object);
        seen[state->metadata.name.front() == 'a' ? 0 : 1] += state->metadata.resource_version;
      }
    }
    first.join();
    second.join();
    expect_equal(seen[0], "1234");
    expect_equal(seen[1], "1234");
  });
}

// Mirrors TestDeltaFIFO_addUpdate.
BOOST_AUTO_TEST_CASE(all_that_happened_to_an_object_is_popped_at_once) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    DeltaFIFO queue(runtime);
    expect_ok(queue.add(object("foo", "10")));
    expect_ok(queue.update(object("foo", "12")));
    expect_ok(queue.remove(object("foo", "15")));
    expect_equal(queue.list().size(), 1U);
    expect_equal(text_of(queue.list().front()), "foo@15");
    expect_equal(joined(queue.list_keys()), "foo");
    expect_equal(pop_text(queue), "Added foo@10, Updated foo@12, Deleted foo@15");
    expect_equal(queue.list().size(), 0U);
    expect_equal(queue.list_keys().size(), 0U);
    expect(queue.get_by_key("foo").empty(), "nothing of a popped object stays behind");
    queue.close();
    expect_equal(pop_text(queue), "error: the queue is closed");
  });
}

// Mirrors TestDeltaFIFO_transformer.
BOOST_AUTO_TEST_CASE(each_object_is_transformed_once_on_its_way_in) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const FixedObjects known({object("known", "7")});
    const auto mark = [](const api::ObjectPtr& given) -> api::Result<api::ObjectPtr> {
      return object(given->metadata.name, given->metadata.resource_version + "t");
    };
    DeltaFIFO queue(runtime, {.known_objects = &known, .emit_replaced = true, .transformer = mark});
    expect_ok(queue.add(object("foo", "1")));
    expect_ok(queue.update(object("foo", "2")));
    expect_ok(queue.remove(object("foo", "3")));
    expect_equal(pop_text(queue), "Added foo@1t, Updated foo@2t, Deleted foo@3t");
    expect_ok(queue.resync());
    expect_equal(pop_text(queue), "Sync known@7");
    expect_ok(replace(queue, {object("foo", "4")}));
    expect_equal(joined(drain(queue)), "Replaced foo@4t | Deleted gone(known@7)");
  });
}

// Mirrors TestDeltaFIFO_transformer.
BOOST_AUTO_TEST_CASE(the_tombstone_of_a_queued_object_holds_it_transformed_once) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const auto mark = [](const api::ObjectPtr& given) -> api::Result<api::ObjectPtr> {
      return object(given->metadata.name, given->metadata.resource_version + "t");
    };
    DeltaFIFO queue(runtime, {.transformer = mark});
    expect_ok(queue.add(object("foo", "10")));
    expect_ok(queue.add(object("bar", "11")));
    expect_ok(queue.update(object("foo", "12")));
    expect_ok(queue.remove(object("foo", "15")));
    expect_ok(replace(queue, {}));
    expect_ok(queue.add(object("bar", "16")));
    expect_ok(replace(queue, {}));
    expect_equal(joined(queue.list_keys()), "foo | bar");
    expect_equal(joined(drain(queue)),
                 "Added foo@10t, Updated foo@12t, Deleted foo@15t | "
                 "Added bar@11t, Deleted gone(bar@11t), Added bar@16t, Deleted gone(bar@16t)");
  });
}

BOOST_AUTO_TEST_CASE(a_listed_object_is_transformed_also_when_it_is_queued_as_sync) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const auto mark = [](const api::ObjectPtr& given) -> api::Result<api::ObjectPtr> {
      return object(given->metadata.name, given->metadata.resource_version + "t");
    };
    DeltaFIFO queue(runtime, {.transformer = mark});
    expect_ok(replace(queue, {object("foo", "4")}));
    expect_equal(pop_text(queue), "Sync foo@4t");
  });
}

BOOST_AUTO_TEST_CASE(an_object_that_cannot_be_transformed_is_not_queued) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const auto refuse = [](const api::ObjectPtr&) -> api::Result<api::ObjectPtr> {
      return api::Error{.message = "refused"};
    };
    DeltaFIFO queue(runtime, {.transformer = refuse});
    expect_equal(queue.add(object("foo")).error().message, "refused");
    expect(!replace(queue, {object("foo")}).ok(), "a list with a refused object fails");
    expect_equal(queue.list_keys().size(), 0U);
  });
}

// Mirrors TestDeltaFIFO_enqueueingNoLister.
BOOST_AUTO_TEST_CASE(without_known_objects_only_what_is_queued_can_be_deleted) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    DeltaFIFO queue(runtime);
    expect_ok(queue.add(object("foo", "10")));
    expect_ok(queue.update(object("bar", "15")));
    expect_ok(queue.add(object("qux", "17")));
    expect_ok(queue.remove(object("qux", "18")));
    expect_ok(queue.remove(object("baz", "20")));
    expect_equal(joined(drain(queue)),
                 "Added foo@10 | Updated bar@15 | Added qux@17, Deleted qux@18");
  });
}

// Mirrors TestDeltaFIFO_enqueueingWithLister.
BOOST_AUTO_TEST_CASE(known_objects_can_be_deleted_and_unknown_ones_not) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const FixedObjects known({object("foo", "5"), object("bar", "6"), object("baz", "7")});
    DeltaFIFO queue(runtime, {.known_objects = &known});
    expect_ok(queue.add(object("foo", "10")));
    expect_ok(queue.update(object("bar", "15")));
    expect_ok(queue.remove(object("baz", "20")));
    expect_ok(queue.remove(object("nobody", "1")));
    expect_equal(joined(drain(queue)), "Added foo@10 | Updated bar@15 | Deleted baz@20");
  });
}

// A store that is behind the queue must not hide a deletion (kubernetes issue 26966).
BOOST_AUTO_TEST_CASE(a_deletion_of_what_is_only_queued_counts_although_the_store_knows_nothing) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const FixedObjects nothing({});
    DeltaFIFO queue(runtime, {.known_objects = &nothing});
    expect_ok(queue.add(object("foo", "1")));
    expect_ok(queue.remove(object("foo", "2")));
    expect_equal(pop_text(queue), "Added foo@1, Deleted foo@2");
  });
}

// Mirrors TestDeltaFIFO_DeleteExistingNonPropagated.
BOOST_AUTO_TEST_CASE(a_second_deletion_after_the_pop_queues_nothing) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const FixedObjects nothing({});
    DeltaFIFO queue(runtime, {.known_objects = &nothing});
    expect_ok(queue.add(object("foo", "5")));
    expect_ok(queue.remove(object("foo", "6")));
    expect_equal(pop_text(queue), "Added foo@5, Deleted foo@6");
    expect_ok(queue.remove(object("foo", "6")));
    expect_equal(queue.list_keys().size(), 0U);
  });
}

BOOST_AUTO_TEST_CASE(of_two_deletions_in_a_row_the_one_with_a_final_state_stays) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const FixedObjects known({object("a", "1"), object("b", "1"), object("c", "1")});
    DeltaFIFO queue(runtime, {.known_objects = &known});
    expect_ok(queue.remove(object("a", "2")));
    expect_ok(queue.remove(tombstone("a", object("a", "1"))));
    expect_ok(queue.remove(tombstone("b", object("b", "1"))));
    expect_ok(queue.remove(object("b", "2")));
    expect_ok(queue.remove(object("c", "2")));
    expect_ok(queue.remove(object("c", "3")));
    expect_equal(joined(drain(queue)), "Deleted a@2 | Deleted b@2 | Deleted c@2");
  });
}

BOOST_AUTO_TEST_CASE(only_deletions_right_behind_each_other_are_merged) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    DeltaFIFO queue(runtime);
    expect_ok(queue.add(object("foo", "1")));
    expect_ok(queue.remove(object("foo", "2")));
    expect_ok(queue.add(object("foo", "3")));
    expect_ok(queue.update(object("foo", "3")));
    expect_ok(queue.update(object("foo", "3")));
    expect_ok(queue.remove(object("foo", "4")));
    expect_equal(pop_text(queue),
                 "Added foo@1, Deleted foo@2, Added foo@3, Updated foo@3, Updated foo@3, "
                 "Deleted foo@4");
  });
}

// Mirrors TestDeltaFIFO_detectLineJumpers.
BOOST_AUTO_TEST_CASE(an_updated_object_keeps_its_place) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    DeltaFIFO queue(runtime);
    expect_ok(queue.add(object("foo", "10")));
    expect_ok(queue.add(object("bar", "1")));
    expect_ok(queue.add(object("foo", "11")));
    expect_ok(queue.add(object("foo", "13")));
    expect_ok(queue.add(object("zab", "30")));
    expect_equal(pop_text(queue), "Added foo@10, Added foo@11, Added foo@13");
    expect_ok(queue.add(object("foo", "14")));
    expect_equal(joined(drain(queue)), "Added bar@1 | Added zab@30 | Added foo@14");
  });
}

// Mirrors TestDeltaFIFO_KeyOf.
BOOST_AUTO_TEST_CASE(an_object_a_tombstone_and_deltas_all_have_the_key_of_their_object) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const DeltaFIFO queue(runtime);
    expect_equal(*queue.key_of(object("ns/foo")), "ns/foo");
    expect_equal(*queue.key_of(tombstone("own key", object("ns/foo"))), "own key");
    expect_equal(*queue.key_of(tombstone("own key")), "own key");
    expect_equal(*queue.key_of(cache::Deltas{{.object = tombstone("ns/gone")}}), "ns/gone");
    expect_equal(*queue.key_of(cache::Deltas{{.object = object("old")}, {.object = object("new")}}),
                 "new");
    expect(queue.key_of(cache::Deltas{}).error().kind == api::ErrorKind::Key,
           "no deltas have no key");
  });
}

BOOST_AUTO_TEST_CASE(what_has_no_key_is_refused_with_a_message_that_names_it) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const auto fail = [](const cache::Item&) -> api::Result<std::string> {
      return api::Error{.message = "out of keys"};
    };
    DeltaFIFO queue(runtime, {.key_function = fail});
    const api::Result<void> added = queue.add(object("ns/foo"));
    expect(added.error().kind == api::ErrorKind::Key, "the failure is a key error");
    expect_equal(added.error().message, "no key for object ns/foo: out of keys");
    expect(!queue.update(object("foo")).ok(), "update fails too");
    expect(!queue.remove(object("foo")).ok(), "remove fails too");
    expect(!replace(queue, {object("foo")}).ok(), "replace fails too");
    expect(!queue.get(object("foo")).ok(), "get fails too");
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
