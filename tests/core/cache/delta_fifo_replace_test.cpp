#include <boost/test/unit_test.hpp>

#include "core/cache/cache.hpp"
#include "core/cache/delta_fifo.hpp"
#include "core/runtime/task.hpp"
#include "tests/core/cache/queues.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(delta_fifo_replace_test)

namespace {

using cache::DeltaFIFO;

/// One row of the matrix below: what is known and queued, and what a list of nothing or of the
/// object makes of it.
struct Row {
  std::string_view queued;  ///< add, update, delete or tombstone
  bool known;
  bool listed;
  std::string_view popped;
};

void check_row(runtime::Runtime& runtime, const Row& row) {
  std::vector<api::ObjectPtr> known_objects;
  if (row.known) {
    known_objects.push_back(object("x", "1"));
  }
  const FixedObjects known(known_objects);
  DeltaFIFO queue(runtime, {.known_objects = &known, .emit_replaced = true});
  if (row.queued == "add") {
    expect_ok(queue.add(object("x", "2")));
  } else if (row.queued == "update") {
    expect_ok(queue.add(object("x", "2")));
    expect_ok(queue.update(object("x", "3")));
  } else {
    expect_ok(queue.add(object("x", "2")));
    const bool seen = row.queued == "delete";
    expect_ok(
        queue.remove(seen ? cache::Item(object("x", "4")) : tombstone("x", object("x", "2"))));
  }
  expect_ok(row.listed ? replace(queue, {object("x", "5")}) : replace(queue, {}));
  expect_equal(joined(drain(queue)), std::string(row.popped));
}

/// What happened before a queue is popped, as letters: `a` adds x@2, `A` adds x@3, `d` deletes x@2,
/// `l` lists x@2, `e` lists nothing.
std::string popped_after(runtime::Runtime& runtime, const FixedObjects* known, bool emit_replaced,
                         std::string_view history) {
  DeltaFIFO queue(runtime, {.known_objects = known, .emit_replaced = emit_replaced});
  for (const char step : history) {
    if (step == 'a' || step == 'A') {
      expect_ok(queue.add(object("x", step == 'a' ? "2" : "3")));
    } else if (step == 'd') {
      expect_ok(queue.remove(object("x", "2")));
    } else {
      expect_ok(step == 'l' ? replace(queue, {object("x", "2")}) : replace(queue, {}));
    }
  }
  return joined(drain(queue));
}

}  // namespace

// Mirrors TestDeltaFIFO_addReplace.
BOOST_AUTO_TEST_CASE(a_list_is_appended_to_what_is_queued) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    DeltaFIFO queue(runtime, {.emit_replaced = true});
    expect_ok(queue.add(object("foo", "10")));
    expect_ok(replace(queue, {object("foo", "15")}));
    expect_equal(pop_text(queue), "Added foo@10, Replaced foo@15");
    expect_equal(queue.list_keys().size(), 0U);
    expect((*queue.get(object("foo"))).empty(), "nothing of a popped object stays behind");
    expect_ok(queue.add(object("foo", "16")));
    expect_equal(pop_text(queue), "Added foo@16");
  });
}

// Mirrors TestDeltaFIFO_replaceWithDeleteDeltaIn.
BOOST_AUTO_TEST_CASE(an_object_listed_behind_its_deletion_is_there_again) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const FixedObjects known({object("foo", "1")});
    for (const bool emit_replaced : {false, true}) {
      DeltaFIFO queue(runtime, {.known_objects = &known, .emit_replaced = emit_replaced});
      expect_ok(queue.remove(object("foo", "1")));
      expect_ok(replace(queue, {object("foo", "2")}));
      expect_equal(joined(queue.list_keys()), "foo");
      expect_equal(pop_text(queue),
                   emit_replaced ? "Deleted foo@1, Replaced foo@2" : "Deleted foo@1, Sync foo@2");
      expect_equal(queue.list_keys().size(), 0U);
      expect(queue.has_synced(), "the deletion before the list counts as populated");
    }
  });
}

// Mirrors TestDeltaFIFO_ReplaceDeltaType.
BOOST_AUTO_TEST_CASE(a_listed_object_is_replaced_or_sync_as_the_options_say) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const FixedObjects listed({object("foo", "5")});
    for (const FixedObjects* known : {static_cast<const FixedObjects*>(nullptr), &listed}) {
      DeltaFIFO modern(runtime, {.known_objects = known, .emit_replaced = true});
      expect_ok(replace(modern, {object("foo", "5")}));
      expect_equal(joined(drain(modern)), "Replaced foo@5");
      DeltaFIFO old(runtime, {.known_objects = known});
      expect_ok(replace(old, {object("foo", "5")}));
      expect_equal(joined(drain(old)), "Sync foo@5");
    }
  });
}

// Mirrors TestDeltaFIFO_ReplaceMakesDeletions and TestDeltaFIFO_ReplaceMakesDeletionsReplaced.
BOOST_AUTO_TEST_CASE(what_a_list_has_no_more_becomes_a_tombstone_with_its_last_state) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const FixedObjects known({object("foo", "5"), object("bar", "6"), object("baz", "7")});
    for (const bool emit_replaced : {false, true}) {
      DeltaFIFO queue(runtime, {.known_objects = &known, .emit_replaced = emit_replaced});
      expect_ok(queue.remove(object("baz", "10")));
      expect_ok(replace(queue, {object("foo", "6")}));
      expect_equal(joined(drain(queue)),
                   emit_replaced ? "Deleted baz@10 | Replaced foo@6 | Deleted gone(bar@6)"
                                 : "Deleted baz@10 | Sync foo@6 | Deleted gone(bar@6)");
    }
  });
}

// Mirrors TestDeltaFIFO_ReplaceMakesDeletions, its second part.
BOOST_AUTO_TEST_CASE(the_tombstone_of_a_queued_object_has_its_queued_state) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const FixedObjects known({object("foo", "5"), object("bar", "6"), object("baz", "7")});
    DeltaFIFO queue(runtime, {.known_objects = &known});
    expect_ok(queue.add(object("baz", "10")));
    expect_ok(replace(queue, {object("foo", "5")}));
    expect_equal(joined(drain(queue)),
                 "Added baz@10, Deleted gone(baz@10) | Sync foo@5 | Deleted gone(bar@6)");
    DeltaFIFO recreated(runtime, {.known_objects = &known});
    expect_ok(recreated.remove(object("bar", "6")));
    expect_ok(recreated.add(object("bar", "100")));
    expect_ok(replace(recreated, {object("foo", "5")}));
    expect_equal(joined(drain(recreated)),
                 "Deleted bar@6, Added bar@100, Deleted gone(bar@100) | Sync foo@5 | "
                 "Deleted gone(baz@7)");
    DeltaFIFO listed(runtime, {.known_objects = &known});
    expect_ok(replace(listed, {object("bar", "100"), object("foo", "5")}));
    expect_ok(replace(listed, {object("foo", "5")}));
    expect_equal(joined(drain(listed)),
                 "Sync bar@100, Deleted gone(bar@100) | Sync foo@5, Sync foo@5 | "
                 "Deleted gone(baz@7)");
  });
}

// Mirrors TestDeltaFIFO_ReplaceMakesDeletions, without known objects.
BOOST_AUTO_TEST_CASE(without_known_objects_a_list_deletes_what_is_queued) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    DeltaFIFO queue(runtime);
    expect_ok(queue.add(object("baz", "10")));
    expect_ok(replace(queue, {object("foo", "5")}));
    expect_equal(joined(drain(queue)), "Added baz@10, Deleted gone(baz@10) | Sync foo@5");
  });
}

BOOST_AUTO_TEST_CASE(a_known_object_that_cannot_be_looked_up_leaves_a_tombstone_without_state) {
  class Forgetful final : public cache::KeyListerGetter {
   public:
    [[nodiscard]] std::vector<std::string> list_keys() const override { return {"foo"}; }
    [[nodiscard]] api::ObjectPtr get_by_key(const std::string&) const override { return nullptr; }
  };
  holds_in_every_world([](runtime::Runtime& runtime) {
    const Forgetful known;
    DeltaFIFO queue(runtime, {.known_objects = &known, .emit_replaced = true});
    expect_ok(replace(queue, {}));
    expect_equal(pop_text(queue), "Deleted gone(null)");
  });
}

// Mirrors TestDeltaFIFOW_ReplaceMakesDeletionsForObjectsOnlyInQueue.
BOOST_AUTO_TEST_CASE(a_list_reports_objects_that_are_only_queued) {
  constexpr Row kRows[] = {
      {"add", false, false, "Added x@2, Deleted gone(x@2)"},
      {"add", true, false, "Added x@2, Deleted gone(x@2)"},
      {"add", false, true, "Added x@2, Replaced x@5"},
      {"update", false, false, "Added x@2, Updated x@3, Deleted gone(x@3)"},
      {"update", true, true, "Added x@2, Updated x@3, Replaced x@5"},
      {"delete", false, false, "Added x@2, Deleted x@4"},
      {"delete", true, false, "Added x@2, Deleted x@4"},
      {"delete", false, true, "Added x@2, Deleted x@4, Replaced x@5"},
      {"tombstone", false, false, "Added x@2, Deleted gone(x@2)"},
      {"tombstone", true, false, "Added x@2, Deleted gone(x@2)"},
      {"tombstone", true, true, "Added x@2, Deleted gone(x@2), Replaced x@5"},
  };
  holds_in_every_world([&](runtime::Runtime& runtime) {
    for (const Row& row : kRows) {
      check_row(runtime, row);
    }
  });
}

// Mirrors TestDeltaFIFOW_ReplaceMakesDeletionsForObjectsOnlyInQueue, its rows.
BOOST_AUTO_TEST_CASE(what_is_only_queued_is_deleted_once_however_often_nothing_is_listed) {
  struct History {
    std::string_view steps;
    bool emit_replaced;
    std::string_view popped;
  };
  constexpr History kHistories[] = {
      {"ae", false, "Added x@2, Deleted gone(x@2)"},
      {"ale", true, "Added x@2, Replaced x@2, Deleted gone(x@2)"},
      {"ade", false, "Added x@2, Deleted x@2"},
      {"alle", false, "Added x@2, Sync x@2, Sync x@2, Deleted gone(x@2)"},
      {"aee", false, "Added x@2, Deleted gone(x@2)"},
      {"adAe", false, "Added x@2, Deleted x@2, Added x@3, Deleted gone(x@3)"},
  };
  holds_in_every_world([&](runtime::Runtime& runtime) {
    const FixedObjects nothing({});
    for (const History& row : kHistories) {
      for (const FixedObjects* known : {static_cast<const FixedObjects*>(nullptr), &nothing}) {
        expect_equal(popped_after(runtime, known, row.emit_replaced, row.steps), row.popped);
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(a_tombstone_never_wraps_a_tombstone) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const FixedObjects known({object("foo", "1")});
    DeltaFIFO queue(runtime, {.known_objects = &known, .emit_replaced = true});
    expect_ok(replace(queue, {}));
    expect_ok(replace(queue, {}));
    const cache::Popped popped = queue.pop(ignore);
    const auto& deltas = std::get<cache::Deltas>(popped.item);
    expect_equal(text_of(deltas), "Deleted gone(foo@1)");
  });
}

BOOST_AUTO_TEST_CASE(a_resync_of_nothing_is_nothing) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const FixedObjects nothing({});
    DeltaFIFO queue(runtime, {.known_objects = &nothing});
    expect_ok(queue.remove(object("foo", "10")));
    expect_ok(queue.resync());
    expect_equal(queue.list_keys().size(), 0U);
    DeltaFIFO ignorant(runtime);
    expect_ok(ignorant.resync());
    expect_equal(ignorant.list_keys().size(), 0U);
  });
}

// Mirrors TestDeltaFIFO_Resync.
BOOST_AUTO_TEST_CASE(a_resync_delivers_every_known_object_once) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const FixedObjects known({object("foo", "5"), object("bar", "6")});
    DeltaFIFO queue(runtime, {.known_objects = &known});
    expect_ok(queue.resync());
    expect_ok(queue.resync());
    expect_equal(sorted(drain(queue)), "Sync bar@6 | Sync foo@5");
  });
}

// Mirrors TestDeltaFIFO_UpdateResyncRace.
BOOST_AUTO_TEST_CASE(a_resync_adds_nothing_to_what_is_queued_because_that_is_newer) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const FixedObjects known({object("foo", "5")});
    DeltaFIFO queue(runtime, {.known_objects = &known});
    expect_ok(queue.update(object("foo", "6")));
    expect_ok(queue.resync());
    expect_equal(pop_text(queue), "Updated foo@6");
  });
}

// Mirrors TestDeltaFIFO_ResyncNonExisting.
BOOST_AUTO_TEST_CASE(a_resync_does_not_bring_back_what_waits_for_its_deletion) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const FixedObjects known({object("foo", "5")});
    DeltaFIFO queue(runtime, {.known_objects = &known});
    expect_ok(queue.remove(object("foo", "6")));
    expect_ok(queue.resync());
    expect_equal(pop_text(queue), "Deleted foo@6");
  });
}

BOOST_AUTO_TEST_CASE(a_list_with_an_object_without_key_leaves_what_came_before_it_queued) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    DeltaFIFO queue(runtime, {.emit_replaced = true});
    const api::Result<void> replaced = replace(queue, {object("foo", "1"), nullptr});
    expect(replaced.error().kind == api::ErrorKind::Key, "a null object is a key error");
    expect_equal(joined(drain(queue)), "Replaced foo@1");
  });
}

// The consumer stores under the queue's lock, so the store is never ahead of or behind what was
// popped when a list looks at it.
BOOST_AUTO_TEST_CASE(a_list_during_processing_never_misses_nor_repeats_a_deletion) {
  holds_everywhere([](runtime::Runtime& runtime) {
    cache::Cache store(runtime);
    DeltaFIFO queue(runtime, {.known_objects = &store, .emit_replaced = true});
    expect_ok(queue.add(object("foo", "1")));
    int deletions = 0;
    const runtime::Task lister = runtime::spawn(runtime, "lister", [&] {
      expect_ok(replace(queue, {}));
      queue.close();
    });
    const auto keep = [&](const cache::PopItem& item, bool) -> cache::Processed {
      for (const cache::Delta& delta : std::get<cache::Deltas>(item)) {
        const bool is_deletion = delta.type == cache::DeltaType::Deleted;
        deletions += is_deletion ? 1 : 0;
        if (is_deletion) {
          expect_ok(store.remove(cache::object_of(delta.object)));
        } else {
          expect_ok(store.update(delta.object));
        }
      }
      return {};
    };
    while (queue.pop(keep).outcome) {
    }
    lister.join();
    expect_equal(deletions, 1);
    expect_equal(store.list().size(), 0U);
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
