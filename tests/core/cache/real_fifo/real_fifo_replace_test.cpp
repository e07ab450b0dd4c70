// What a list makes of a RealFIFO: which deletions and in which order, and when it has synced.
#include <boost/test/unit_test.hpp>

#include "core/cache/real_fifo.hpp"
#include "tests/core/cache/queues.hpp"
#include "tests/core/cache/real_fifo/real_fifos.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(real_fifo_replace_test)

using cache::RealFIFO;

namespace {

/// What is known and what happened before the list, as letters; see `popped_after`.
struct Row {
  std::string_view history;
  std::string_view known;
  std::string_view popped;
  bool one_revision = false;  ///< 0 for all steps, too
};

/// Each step is a letter and the name of an object: `a` adds it, `u` updates it, `d` deletes it,
/// `t` deletes it as a tombstone, `l` lists exactly it, `b` it and x; `e` with any name lists
/// nothing. The n-th step has revision n; what is known has revision 0.
std::string popped_after(runtime::Runtime& runtime, const Row& row) {
  std::vector<api::ObjectPtr> known_objects;
  for (const char name : row.known) {
    known_objects.push_back(object(std::string(1, name), "0"));
  }
  const FixedObjects known(known_objects);
  RealFIFO queue(runtime, {.known_objects = &known});
  for (std::size_t i = 0; i + 1 < row.history.size(); i += 4) {
    const std::string name(1, row.history[i + 1]);
    const api::ObjectPtr state = object(name, row.one_revision ? "0" : std::to_string(i / 4 + 1));
    switch (row.history[i]) {
      case 'a':
        expect_ok(queue.add(state));
        break;
      case 'u':
        expect_ok(queue.update(state));
        break;
      case 'd':
        expect_ok(queue.remove(state));
        break;
      case 't':
        expect_ok(queue.remove(tombstone(name, object(name, "0"))));
        break;
      case 'l':
        expect_ok(replace(queue, {state}));
        break;
      case 'b':
        expect_ok(replace(queue, {state, object("x", state->metadata.resource_version)}));
        break;
      default:
        expect_ok(replace(queue, {}));
    }
  }
  return joined(drain_closed(queue));
}

}  // namespace

// Mirrors TestRealFIFO_ReplaceMakesDeletions, TestRealFIFO_ReplaceMakesDeletionsReplaced,
// TestRealFIFOW_ReplaceMakesDeletionsForObjectsOnlyInQueue, TestRealFIFO_replaceWithDeleteDeltaIn
// and TestRealFIFO_addReplace.
BOOST_AUTO_TEST_CASE(a_list_deletes_what_is_queued_or_known_and_comes_after_the_deletions) {
  const std::vector<Row> rows{
      // only in the queue
      {"ax, e-", "", "Added x@1 | Deleted gone(x@1)"},
      {"ux, e-", "", "Updated x@1 | Deleted gone(x@1)"},
      {"dx, e-", "", "Deleted x@1"},
      {"tx, e-", "", "Deleted gone(x@0)"},
      {"lx, e-", "", "Replaced x@1 | Deleted gone(x@1)"},
      {"ax, ux, e-", "", "Added x@1 | Updated x@2 | Deleted gone(x@2)"},
      {"ax, dx, e-", "", "Added x@1 | Deleted x@2"},
      {"dx, ax, e-", "", "Deleted x@1 | Added x@2 | Deleted gone(x@2)"},
      {"ax, ay, ux, e-", "",
       "Added x@1 | Added y@2 | Updated x@3 | Deleted gone(x@3) | Deleted gone(y@2)"},
      {"ax, e-, e-", "", "Added x@1 | Deleted gone(x@1)"},
      {"ax, lx, lx, e-", "", "Added x@1 | Replaced x@2 | Replaced x@3 | Deleted gone(x@3)"},
      {"ax, dx, ax, e-", "", "Added x@1 | Deleted x@2 | Added x@3 | Deleted gone(x@3)"},
      {"ay, lx", "", "Added y@1 | Deleted gone(y@1) | Replaced x@2"},
      // known, and queued or not
      {"e-", "x", "Deleted gone(x@0)"},
      {"lx", "x", "Replaced x@1"},
      {"ly", "x", "Deleted gone(x@0) | Replaced y@1"},
      {"ux, e-", "x", "Updated x@1 | Deleted gone(x@1)"},
      {"dx, e-", "x", "Deleted x@1"},
      {"dx, ly", "x", "Deleted x@1 | Replaced y@2"},
      {"dx, lx", "x", "Deleted x@1 | Replaced x@2"},
      {"ax, lx", "", "Added x@1 | Replaced x@2"},
      {"ay, lz", "x", "Added y@1 | Deleted gone(y@1) | Deleted gone(x@0) | Replaced z@2"},
      {"lx, ly", "z", "Deleted gone(z@0) | Replaced x@1 | Deleted gone(x@1) | Replaced y@2"},
      // three known objects
      {"dz, lx", "xyz", "Deleted z@1 | Deleted gone(y@0) | Replaced x@2"},
      {"az, lx", "xyz", "Added z@1 | Deleted gone(z@1) | Deleted gone(y@0) | Replaced x@2"},
      {"dy, ay, lx", "xyz",
       "Deleted y@1 | Added y@2 | Deleted gone(y@2) | Deleted gone(z@0) | Replaced x@3"},
      {"by, lx", "xyz",
       "Deleted gone(z@0) | Replaced y@1 | Replaced x@1 | Deleted gone(y@1) | Replaced x@2"},
      // nothing is left out because its revision is not new
      {"ax, dx, e-", "", "Added x@0 | Deleted x@0", true},
      {"ax, lx, lx, e-", "", "Added x@0 | Replaced x@0 | Replaced x@0 | Deleted gone(x@0)", true},
      {"dx, lx", "x", "Deleted x@0 | Replaced x@0", true},
      {"dz, lx", "xyz", "Deleted z@0 | Deleted gone(y@0) | Replaced x@0", true},
  };
  holds_in_every_world([&](runtime::Runtime& runtime) {
    for (const Row& row : rows) {
      expect_equal(popped_after(runtime, row), row.popped);
    }
  });
}

// Mirrors TestRealFIFO_ReplaceAtomic.
BOOST_AUTO_TEST_CASE(an_atomic_list_is_one_delta_that_looks_at_nothing_else) {
  for_each_atomic_machine([](runtime::Runtime&, RealFIFO& queue) {
    expect_ok(queue.replace({}, "5"));
    expect_equal(pop_text(queue), "ReplacedAll 5[]");
    expect_ok(queue.bookmark("6"));
    expect_ok(queue.replace({}, "7"));
    expect_equal(pop_text(queue), "Bookmark 6");
    expect_equal(pop_text(queue), "ReplacedAll 7[]");
    expect_ok(queue.add(object("x", "1")));
    expect_ok(queue.replace(std::vector{object("x", "1")}, "7"));
    expect_ok(queue.replace(std::vector{object("x", "1")}, "8"));
    expect_ok(
        queue.replace(std::vector{object("b", "2"), object("a", "3"), object("b", "4")}, "9"));
    expect_ok(queue.replace({}, "9"));
    expect_ok(queue.bookmark("9"));
    expect_ok(queue.replace({}, "10"));
    expect_equal(joined(drain_closed(queue)),
                 "Added x@1 | ReplacedAll 7[x@1] | ReplacedAll 8[x@1] | "
                 "ReplacedAll 9[b@2 a@3 b@4] | ReplacedAll 9[] | Bookmark 9 | ReplacedAll 10[]");
  });
}

// Mirrors TestRealFIFO_ReplaceAtomicPop.
BOOST_AUTO_TEST_CASE(an_atomic_list_is_of_the_initial_list_until_it_is_processed) {
  for_each_atomic_machine([](runtime::Runtime&, RealFIFO& queue) {
    expect_ok(queue.replace(std::vector{object("a", "1")}, "9"));
    expect_ok(queue.add(object("b", "2")));
    std::string seen;
    for (int i = 0; i < 2; ++i) {
      (void)queue.pop([&](const cache::PopItem& item, bool is_initial) -> cache::Processed {
        seen += text_of(item) + (is_initial ? " initial; " : "; ");
        return {};
      });
    }
    expect_equal(seen, "ReplacedAll 9[a@1] initial; Added b@2; ");
  });
  for_each_atomic_machine([](runtime::Runtime&, RealFIFO& queue) {
    expect_ok(queue.add(object("foo", "10")));
    expect_ok(queue.replace(std::vector{object("foo", "15")}, "20"));
    expect_equal(joined(drain_closed(queue)), "Added foo@10 | ReplacedAll 20[foo@15]");
  });
}

BOOST_AUTO_TEST_CASE(the_queue_keeps_an_atomic_list_of_its_own) {
  for_each_atomic_machine([](runtime::Runtime&, RealFIFO& queue) {
    std::vector<api::ObjectPtr> items{object("a", "1")};
    expect_ok(queue.replace(items, "9"));
    items.front() = object("z", "9");
    expect_equal(joined(drain_closed(queue)), "ReplacedAll 9[a@1]");
  });
}

// Mirrors TestRealFIFO_transformer, for lists.
BOOST_AUTO_TEST_CASE(listed_objects_are_transformed_once) {
  for (const Machine machine : kMachines) {
    holds_in_every_world([&](runtime::Runtime& runtime) {
      const FixedObjects nothing({});
      cache::RealFIFOOptions options = options_of(machine, nothing);
      options.transformer = add_a_t;
      RealFIFO queue(runtime, options);
      expect_ok(replace(queue, {object("a"), object("b")}));
      expect_equal(joined(drain_closed(queue)),
                   machine.atomic ? "ReplacedAll 0[a@1t b@1t]" : "Replaced a@1t | Replaced b@1t");
    });
  }
}

// What was queued before the failure stays, but the list does not count as the first.
BOOST_AUTO_TEST_CASE(a_list_that_fails_in_the_middle_is_queued_up_to_there_unless_atomic) {
  const auto refuse_b = [](const api::ObjectPtr& given) -> api::Result<api::ObjectPtr> {
    if (given->metadata.name == "b") {
      return api::Error{.message = "refused"};
    }
    return given;
  };
  for (const Machine machine : kMachines) {
    holds_in_every_world([&](runtime::Runtime& runtime) {
      const FixedObjects known({object("k", "1")});
      cache::RealFIFOOptions options = options_of(machine, known);
      options.transformer = refuse_b;
      RealFIFO queue(runtime, options);
      const api::Result<void> failed = replace(queue, {object("a"), object("b"), object("c")});
      expect_equal(failed.error().message,
                   machine.atomic ? "refused" : "could not enqueue an object: refused");
      expect(!queue.has_synced(), "the first list is still to come");
      expect_ok(replace(queue, {}));
      expect_equal(joined(drain_closed(queue)),
                   machine.atomic ? "ReplacedAll 0[]"
                                  : "Deleted gone(k@1) | Replaced a@1 | Deleted gone(a@1)");
      expect(queue.has_synced(), "all that was queued at the first good list is popped");
    });
  }
}

BOOST_AUTO_TEST_CASE(a_list_with_an_object_without_key_queues_nothing_unless_atomic) {
  const auto no_key_for_b = [](const cache::Item& item) -> api::Result<std::string> {
    if (cache::object_of(item)->metadata.name == "b") {
      return api::Error{.message = "out of keys"};
    }
    return cache::meta_namespace_key(item);
  };
  for (const Machine machine : kMachines) {
    holds_in_every_world([&](runtime::Runtime& runtime) {
      const FixedObjects known({object("k", "1")});
      cache::RealFIFOOptions options = options_of(machine, known);
      options.key_function = no_key_for_b;
      RealFIFO queue(runtime, options);
      const api::Result<void> listed = replace(queue, {object("a"), object("b")});
      expect(listed.ok() == machine.atomic, "only an atomic list takes it");
      expect_equal(joined(drain_closed(queue)), machine.atomic ? "ReplacedAll 0[a@1 b@1]" : "");
    });
  }
}

namespace {

struct SyncRow {
  std::string_view actions;  ///< see `has_synced_after`
  bool synced;
};

/// `a` adds, `u` updates, `d` deletes, `e` lists nothing, `l` lists two, `t` one twice, `p` pops.
bool has_synced_after(RealFIFO& queue, std::string_view actions) {
  for (const char action : actions) {
    if (action == 'p') {
      (void)queue.pop(ignore);
    } else if (action == 'a') {
      expect_ok(queue.add(object("a")));
    } else if (action == 'u') {
      expect_ok(queue.update(object("a")));
    } else if (action == 'd') {
      expect_ok(queue.remove(object("a")));
    } else if (action == 'e') {
      expect_ok(replace(queue, {}));
    } else {
      expect_ok(replace(queue, {object("a", "1"), object(action == 't' ? "a" : "b", "2")}));
    }
  }
  return queue.has_synced();
}

}  // namespace

// Mirrors TestRealFIFO_HasSynced.
BOOST_AUTO_TEST_CASE(a_queue_has_synced_when_its_first_list_is_popped) {
  const std::vector<SyncRow> both{{"", false}, {"a", true},  {"u", true},
                                  {"d", true}, {"al", true}, {"l", false}};
  const std::vector<SyncRow> one_by_one{
      {"e", true},    {"lp", false}, {"lpp", true},  {"lpa", false}, {"lppa", true},
      {"lppl", true}, {"ll", false}, {"llpp", true}, {"tp", false},  {"tpp", true}};
  const std::vector<SyncRow> atomic{{"e", false},  {"ep", true},  {"lp", true},
                                    {"la", false}, {"lpa", true}, {"lpl", true},
                                    {"ll", false}, {"llp", true}, {"llpp", true}};
  for (const Machine machine : kMachines) {
    holds_in_every_world([&](runtime::Runtime& runtime) {
      for (const auto* rows : {&both, machine.atomic ? &atomic : &one_by_one}) {
        for (const SyncRow& row : *rows) {
          const FixedObjects nothing({});
          RealFIFO queue(runtime, options_of(machine, nothing));
          expect(has_synced_after(queue, row.actions) == row.synced, row.actions);
        }
      }
    });
  }
}

// Mirrors TestRealFIFO_HasSyncedCorrectOnDeletion.
BOOST_AUTO_TEST_CASE(the_deletions_of_the_first_list_count_for_the_sync) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const FixedObjects known({object("foo", "5"), object("bar", "6"), object("baz", "7")});
    RealFIFO queue(runtime, {.known_objects = &known});
    expect_ok(replace(queue, {object("foo", "5")}));
    std::string popped;
    for (int i = 0; i < 3; ++i) {
      expect(!queue.has_synced(), "not before the last of the list is popped");
      (void)queue.pop([&](const cache::PopItem& item, bool is_initial) -> cache::Processed {
        popped += text_of(item) + (is_initial ? "; " : " (of a later list); ");
        return {};
      });
    }
    expect(queue.has_synced(), "all of the first list is popped");
    expect_equal(popped, "Deleted gone(bar@6); Deleted gone(baz@7); Replaced foo@5; ");
  });
}

// The last item of the first list: 0.33 counts it before it is processed, 0.36 afterwards.
BOOST_AUTO_TEST_CASE(an_unlocked_queue_has_not_synced_while_the_first_list_is_processed) {
  holds_everywhere([](runtime::Runtime& runtime) {
    RealFIFO queue(runtime, {.atomic_events = true, .unlock_while_processing = true});
    expect_ok(replace(queue, {object("a")}));
    bool synced_inside = true;
    (void)queue.pop([&](const cache::PopItem&, bool) -> cache::Processed {
      synced_inside = queue.has_synced();
      return {};
    });
    expect(!synced_inside, "the list is being processed");
    expect(queue.has_synced(), "and now it is");
  });
}

BOOST_AUTO_TEST_CASE(no_task_sees_the_sync_before_the_last_initial_item_is_processed) {
  for (const Machine machine : kMachines) {
    holds_everywhere([&](runtime::Runtime& runtime) {
      const FixedObjects nothing({});
      RealFIFO queue(runtime, options_of(machine, nothing));
      expect_sync_after_the_last_item(runtime, queue);
    });
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
