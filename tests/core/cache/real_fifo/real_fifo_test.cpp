// What a RealFIFO does with single changes, with resyncs and with its options; most cases hold for
// each machine that has one.
#include "core/cache/real_fifo.hpp"

#include <boost/test/unit_test.hpp>

#include "core/runtime/channel.hpp"
#include "core/runtime/task.hpp"
#include "tests/core/cache/queues.hpp"
#include "tests/core/cache/real_fifo/real_fifos.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(real_fifo_test)

using cache::RealFIFO;
using cache::RealFIFOOptions;

// Mirrors TestRealFIFO_basic. Each producer has three keys, and of the middle one two states.
BOOST_AUTO_TEST_CASE(producers_and_a_consumer_lose_nothing_and_keep_the_order) {
  for (const Machine machine : kMachines) {
    holds_everywhere([&](runtime::Runtime& runtime) {
      const FixedObjects nothing({});
      RealFIFO queue(runtime, options_of(machine, nothing));
      const auto producer = [&](const std::string& name) {
        for (int i = 1; i <= 4; ++i) {
          const api::ObjectPtr state = object(name + std::to_string(i / 2), std::to_string(i));
          expect_ok(i % 2 == 1 ? queue.add(state) : queue.update(state));
        }
      };
      const auto first = runtime::spawn(runtime, "first", [&] { producer("a"); });
      const auto second = runtime::spawn(runtime, "second", [&] { producer("b"); });
      std::string seen[2];
      for (int i = 0; i < 8; ++i) {
        const cache::Popped popped = queue.pop(ignore);
        const auto& deltas = std::get<cache::Deltas>(popped.item);
        expect_equal(static_cast<std::int64_t>(deltas.size()), 1);
        const api::ObjectPtr state = cache::object_of(deltas.front().object);
        seen[state->metadata.name.front() == 'a' ? 0 : 1] += state->metadata.resource_version;
      }
      first.join();
      second.join();
      expect_equal(seen[0], "1234");
      expect_equal(seen[1], "1234");
    });
  }
}

// Mirrors TestRealFIFO_addUpdate.
BOOST_AUTO_TEST_CASE(each_change_is_popped_by_itself) {
  for_each_machine([](runtime::Runtime&, RealFIFO& queue) {
    expect_ok(queue.add(object("foo", "10")));
    expect_ok(queue.update(object("foo", "12")));
    expect_ok(queue.remove(object("foo", "15")));
    expect_ok(queue.remove(object("foo", "15")));
    expect_equal(joined(drain_closed(queue)),
                 "Added foo@10 | Updated foo@12 | Deleted foo@15 | Deleted foo@15");
  });
}

// Mirrors TestRealFIFO_detectLineJumpers.
BOOST_AUTO_TEST_CASE(a_change_comes_after_all_that_came_before_it_whatever_its_key) {
  for_each_machine([](runtime::Runtime&, RealFIFO& queue) {
    expect_ok(queue.add(object("foo", "10")));
    expect_ok(queue.add(object("bar", "1")));
    expect_ok(queue.add(object("foo", "11")));
    expect_ok(queue.add(object("foo", "13")));
    expect_ok(queue.add(object("zab", "30")));
    expect_equal(pop_text(queue), "Added foo@10");
    expect_ok(queue.add(object("foo", "14")));
    expect_equal(joined(drain_closed(queue)),
                 "Added bar@1 | Added foo@11 | Added foo@13 | Added zab@30 | Added foo@14");
  });
}

// Mirrors TestRealFIFO_enqueueingNoLister and TestRealFIFO_enqueueingWithLister.
BOOST_AUTO_TEST_CASE(a_deletion_is_queued_whether_its_key_is_known_or_not) {
  const std::string expected =
      "Added foo@10 | Updated bar@15 | Added qux@17 | Deleted qux@18 | Deleted baz@20";
  holds_in_every_world([&](runtime::Runtime& runtime) {
    const FixedObjects nothing({});
    const FixedObjects known({object("foo", "5"), object("bar", "6"), object("baz", "7")});
    for (const FixedObjects* objects : {&nothing, &known}) {
      RealFIFO queue(runtime, {.known_objects = objects});
      expect_ok(queue.add(object("foo", "10")));
      expect_ok(queue.update(object("bar", "15")));
      expect_ok(queue.add(object("qux", "17")));
      expect_ok(queue.remove(object("qux", "18")));
      expect_ok(queue.remove(object("baz", "20")));
      expect_equal(joined(drain_closed(queue)), expected);
    }
  });
}

// Mirrors TestRealFIFO_DeleteExistingNonPropagated.
BOOST_AUTO_TEST_CASE(a_second_deletion_after_the_pop_is_queued_again) {
  for_each_machine([](runtime::Runtime&, RealFIFO& queue) {
    expect_ok(queue.add(object("foo", "5")));
    expect_ok(queue.remove(object("foo", "6")));
    expect_equal(pop_text(queue), "Added foo@5");
    expect_equal(pop_text(queue), "Deleted foo@6");
    expect_ok(queue.remove(object("foo", "6")));
    expect_equal(joined(drain_closed(queue)), "Deleted foo@6");
  });
}

// Mirrors TestRealFIFO_transformer.
BOOST_AUTO_TEST_CASE(each_object_is_transformed_once_on_its_way_in_and_a_tombstone_never) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const FixedObjects known({object("known", "7")});
    RealFIFO queue(runtime, {.known_objects = &known, .transformer = add_a_t});
    expect_ok(queue.add(object("foo", "1")));
    expect_ok(queue.update(object("foo", "2")));
    expect_ok(queue.remove(object("foo", "3")));
    expect_ok(queue.remove(tombstone("foo", object("foo", "3"))));
    expect_ok(queue.resync());
    expect_ok(replace(queue, {object("bar", "4")}));
    expect_equal(joined(drain_closed(queue)),
                 "Added foo@1t | Updated foo@2t | Deleted foo@3t | Deleted gone(foo@3) | "
                 "Sync known@7 | Deleted gone(known@7) | Replaced bar@4t");
  });
}

// Mirrors TestRealFIFO_transformer.
BOOST_AUTO_TEST_CASE(the_tombstone_of_a_queued_object_holds_it_transformed_once) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const FixedObjects nothing({});
    RealFIFO queue(runtime, {.known_objects = &nothing, .transformer = add_a_t});
    expect_ok(queue.add(object("foo", "10")));
    expect_ok(queue.add(object("bar", "11")));
    expect_ok(queue.update(object("foo", "12")));
    expect_ok(queue.remove(object("foo", "15")));
    expect_ok(replace(queue, {}));
    expect_ok(queue.add(object("bar", "16")));
    expect_ok(replace(queue, {}));
    expect_equal(joined(drain_closed(queue)),
                 "Added foo@10t | Added bar@11t | Updated foo@12t | Deleted foo@15t | "
                 "Deleted gone(bar@11t) | Added bar@16t | Deleted gone(bar@16t)");
  });
}

// A failing first change makes the queue claim that it has synced; nothing was delivered.
BOOST_AUTO_TEST_CASE(a_change_that_fails_queues_nothing_and_counts_as_the_first_all_the_same) {
  const auto refuse = [](const api::ObjectPtr&) -> api::Result<api::ObjectPtr> {
    return api::Error{.message = "refused"};
  };
  for (const Machine machine : kMachines) {
    holds_in_every_world([&](runtime::Runtime& runtime) {
      const FixedObjects nothing({});
      RealFIFOOptions options = options_of(machine, nothing);
      options.transformer = refuse;
      RealFIFO queue(runtime, options);
      expect(!queue.has_synced(), "an empty queue has not synced");
      expect_equal(queue.add(object("foo")).error().message, "refused");
      expect(queue.has_synced(), "a change before any list is the end of the waiting");
      expect_equal(queue.remove(object("foo")).error().message, "refused");
      expect_equal(joined(drain_closed(queue)), "");
    });
  }
}

BOOST_AUTO_TEST_CASE(what_has_no_key_is_refused_with_a_message_that_names_it) {
  for (const Machine machine : kMachines) {
    holds_in_every_world([&](runtime::Runtime& runtime) {
      const FixedObjects nothing({});
      RealFIFOOptions options = options_of(machine, nothing);
      options.key_function = [](const cache::Item&) -> api::Result<std::string> {
        return api::Error{.message = "out of keys"};
      };
      RealFIFO queue(runtime, options);
      const api::Result<void> added = queue.add(object("ns/foo"));
      expect(added.error().kind == api::ErrorKind::Key, "the failure is a key error");
      expect_equal(added.error().message, "no key for object ns/foo: out of keys");
      expect(!queue.update(object("foo")).ok(), "update fails too");
      expect(!queue.remove(object("foo")).ok(), "remove fails too");
      expect(replace(queue, {object("foo")}).ok() == machine.atomic,
             "an atomic replace computes no key, the other one fails");
      expect_ok(queue.remove(tombstone("own key")));
      expect_equal(joined(drain_closed(queue)), machine.atomic
                                                    ? "ReplacedAll 0[foo@1] | Deleted gone(null)"
                                                    : "Deleted gone(null)");
    });
  }
}

// Mirrors TestRealFIFO_KeyOf.
BOOST_AUTO_TEST_CASE(an_object_a_tombstone_and_a_delta_have_the_key_of_their_object) {
  for_each_machine([](runtime::Runtime&, RealFIFO& queue) {
    expect_equal(*queue.key_of(cache::Item(object("ns/foo"))), "ns/foo");
    expect_equal(*queue.key_of(tombstone("own key", object("ns/foo"))), "own key");
    expect_equal(*queue.key_of(tombstone("own key")), "own key");
    expect_equal(*queue.key_of(cache::Delta{.object = tombstone("ns/gone")}), "ns/gone");
    expect_equal(*queue.key_of(cache::Delta{.object = object("bar")}), "bar");
    const api::Result<std::string> none = queue.key_of(
        cache::Delta{.type = cache::DeltaType::SyncAll,
                     .object = {},
                     .info = std::make_shared<const cache::DeltaInfo>(cache::SyncAllInfo{})});
    expect_equal(none.error().message, "SyncAll is about no single object");
    expect(none.error().kind == api::ErrorKind::Key, "that is a key error");
  });
}

// Mirrors TestRealFIFO_Resync, TestRealFIFO_ResyncNonExisting and TestRealFIFO_UpdateResyncRace.
BOOST_AUTO_TEST_CASE(a_resync_queues_what_is_known_and_not_queued) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const FixedObjects known({object("foo", "5"), object("bar", "6"), object("baz", "7")});
    RealFIFO queue(runtime, {.known_objects = &known});
    expect_ok(queue.remove(object("foo", "10")));
    expect_ok(queue.update(object("bar", "11")));
    expect_ok(queue.resync());
    expect_equal(joined(drain_closed(queue)), "Deleted foo@10 | Updated bar@11 | Sync baz@7");
    RealFIFO empty(runtime, {.known_objects = &known});
    expect_ok(empty.resync());
    expect_equal(joined(drain_closed(empty)), "Sync foo@5 | Sync bar@6 | Sync baz@7");
  });
}

BOOST_AUTO_TEST_CASE(a_resync_passes_over_what_is_known_no_more_when_it_looks) {
  class Forgetful final : public cache::KeyListerGetter {
   public:
    [[nodiscard]] std::vector<std::string> list_keys() const override { return {"foo", "bar"}; }
    [[nodiscard]] api::ObjectPtr get_by_key(const std::string& key) const override {
      return key == "foo" ? nullptr : object("bar", "6");
    }
  };
  holds_in_every_world([](runtime::Runtime& runtime) {
    const Forgetful known;
    RealFIFO queue(runtime, {.known_objects = &known});
    expect_ok(queue.resync());
    expect_ok(replace(queue, {}));
    expect_equal(joined(drain_closed(queue)),
                 "Sync bar@6 | Deleted gone(bar@6) | Deleted gone(null)");
  });
}

// Mirrors TestRealFIFO_ResyncPropagatesQueueError (client-go 0.38).
BOOST_AUTO_TEST_CASE(a_resync_that_cannot_queue_says_why) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const FixedObjects known({object("foo", "5")});
    RealFIFO queue(runtime, {.key_function = [](const cache::Item&) -> api::Result<std::string> {
                               return api::Error{.message = "out of keys"};
                             },
                             .known_objects = &known});
    const api::Result<void> failed = queue.resync();
    expect_equal(failed.error().message,
                 "could not enqueue an object: no key for object foo: out of keys");
    expect(failed.error().kind == api::ErrorKind::Key, "the cause is kept");
  });
}

// Mirrors TestRealFIFO_ResyncAtomic.
BOOST_AUTO_TEST_CASE(an_atomic_resync_is_one_delta_behind_all_that_is_queued_and_is_never_merged) {
  for_each_atomic_machine([](runtime::Runtime&, RealFIFO& queue) {
    expect_ok(queue.resync());
    expect_ok(queue.add(object("foo", "5")));
    expect_ok(queue.resync());
    expect_ok(queue.resync());
    expect_equal(joined(drain_closed(queue)), "SyncAll | Added foo@5 | SyncAll | SyncAll");
  });
}

BOOST_AUTO_TEST_CASE(bookmarks_are_queued_only_where_they_are_asked_for_and_populate_nothing) {
  for (const bool emit : {false, true}) {
    holds_in_every_world([emit](runtime::Runtime& runtime) {
      RealFIFO queue(runtime, {.atomic_events = true, .emit_delta_type_bookmark = emit});
      expect_ok(queue.bookmark("40"));
      expect_ok(queue.bookmark("50"));
      expect(!queue.has_synced(), "a bookmark is not the first change");
      expect_equal(joined(drain_closed(queue)), emit ? "Bookmark 40 | Bookmark 50" : "");
      expect(!queue.has_synced(), "nor is it when it is popped");
    });
  }
  // Mirrors TestRealFIFOW_ReplaceMakesDeletionsForObjectsOnlyInQueue, its row about bookmarks.
  holds_in_every_world([](runtime::Runtime& runtime) {
    const FixedObjects nothing({});
    RealFIFO queue(runtime, {.known_objects = &nothing});
    expect_ok(queue.bookmark("123"));
    expect_ok(replace(queue, {}));
    expect_ok(replace(queue, {}));
    expect_equal(joined(drain_closed(queue)), "");
  });
}

// The constructor's checks, in the order of the original.
BOOST_AUTO_TEST_CASE(options_that_contradict_each_other_panic) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const FixedObjects known({});
    const auto panics = [&](RealFIFOOptions options, std::string_view words) {
      expect_panic([&] { RealFIFO queue(runtime, std::move(options)); }, words);
    };
    panics({.known_objects = &known, .atomic_events = true}, "known objects beside atomic events");
    panics({.unlock_while_processing = true}, "unlocking without atomic events");
    panics({}, "neither known objects nor atomic events");
    panics({.known_objects = &known, .emit_delta_type_bookmark = true},
           "bookmarks without atomic events");
  });
}

BOOST_AUTO_TEST_CASE(the_depth_is_reported_after_each_change_but_a_bookmark) {
  struct Depths final : cache::QueueDepthMetrics {
    void depth_is(std::size_t depth) override { text += std::to_string(depth); }
    std::string text;
  };
  holds_in_every_world([](runtime::Runtime& runtime) {
    const auto depths = std::make_shared<Depths>();
    RealFIFO queue(runtime,
                   {.atomic_events = true, .emit_delta_type_bookmark = true, .metrics = depths});
    expect_ok(queue.bookmark("1"));
    expect_ok(replace(queue, {object("a"), object("b")}));
    expect_ok(queue.add(object("c")));
    expect_ok(queue.resync());
    (void)queue.pop([&](const cache::PopItem&, bool) -> cache::Processed {
      depths->text += "p";
      return {};
    });
    (void)queue.pop(ignore);
    expect_equal(depths->text, "2343p2");
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
