#include <boost/test/unit_test.hpp>

#include "core/cache/delta_fifo.hpp"
#include "core/runtime/channel.hpp"
#include "core/runtime/task.hpp"
#include "tests/core/cache/queues.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(delta_fifo_pop_test)

namespace {

using cache::DeltaFIFO;

using Action = std::function<void(DeltaFIFO&)>;

const Action kAddA = [](DeltaFIFO& queue) { expect_ok(queue.add(object("a"))); };
const Action kUpdateA = [](DeltaFIFO& queue) { expect_ok(queue.update(object("a"))); };
const Action kRemoveA = [](DeltaFIFO& queue) { expect_ok(queue.remove(object("a"))); };
const Action kListNothing = [](DeltaFIFO& queue) { expect_ok(replace(queue, {})); };
const Action kListTwo = [](DeltaFIFO& queue) {
  expect_ok(replace(queue, {object("a"), object("b")}));
};
const Action kListOneTwice = [](DeltaFIFO& queue) {
  expect_ok(replace(queue, {object("a", "1"), object("a", "2")}));
};
const Action kPop = [](DeltaFIFO& queue) { (void)queue.pop(ignore); };

struct SyncRow {
  std::vector<Action> actions;
  bool synced;
};

}  // namespace

// Mirrors TestDeltaFIFO_HasSynced.
BOOST_AUTO_TEST_CASE(a_queue_has_synced_when_its_first_list_is_popped) {
  const std::vector<SyncRow> rows{
      {{}, false},
      {{kAddA}, true},
      {{kUpdateA}, true},
      {{kRemoveA}, true},
      {{kListNothing}, true},
      {{kListTwo}, false},
      {{kListTwo, kPop}, false},
      {{kListTwo, kPop, kPop}, true},
      {{kListOneTwice, kPop}, true},
      {{kAddA, kListTwo}, true},
      {{kListTwo, kPop, kAddA}, false},
  };
  holds_in_every_world([&](runtime::Runtime& runtime) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      DeltaFIFO queue(runtime);
      for (const Action& action : rows[i].actions) {
        action(queue);
      }
      expect(queue.has_synced() == rows[i].synced, "row " + std::to_string(i));
    }
  });
}

// Mirrors TestDeltaFIFO_HasSyncedCorrectOnDeletion.
BOOST_AUTO_TEST_CASE(the_deletions_of_the_first_list_count_for_the_sync) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const FixedObjects known({object("foo", "5"), object("bar", "6"), object("baz", "7")});
    DeltaFIFO queue(runtime, {.known_objects = &known});
    expect_ok(replace(queue, {object("foo", "5")}));
    std::vector<std::string> popped;
    for (int i = 0; i < 3; ++i) {
      expect(!queue.has_synced(), "not before the last deletion is popped");
      (void)queue.pop([&](const cache::PopItem& item, bool is_in_initial_list) -> cache::Processed {
        popped.push_back(text_of(item) + (is_in_initial_list ? "" : " (of a later list)"));
        return {};
      });
    }
    expect(queue.has_synced(), "all of the first list is popped");
    expect_equal(joined(popped), "Sync foo@5 | Deleted gone(bar@6) | Deleted gone(baz@7)");
  });
}

BOOST_AUTO_TEST_CASE(items_of_the_first_list_say_so_and_later_ones_do_not) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    DeltaFIFO queue(runtime);
    expect_ok(replace(queue, {object("a"), object("b")}));
    expect_ok(queue.add(object("c")));
    std::string initial;
    for (int i = 0; i < 3; ++i) {
      (void)queue.pop([&](const cache::PopItem&, bool is_in_initial_list) -> cache::Processed {
        initial += is_in_initial_list ? "y" : "n";
        return {};
      });
    }
    expect_equal(initial, "yyn");
  });
}

BOOST_AUTO_TEST_CASE(no_task_sees_the_sync_before_the_last_initial_item_is_processed) {
  holds_everywhere([](runtime::Runtime& runtime) {
    DeltaFIFO queue(runtime);
    expect_sync_after_the_last_item(runtime, queue);
  });
}

// Mirrors TestDeltaFIFO_PopShouldUnblockWhenClosed.
BOOST_AUTO_TEST_CASE(closing_wakes_every_waiter_for_an_item) {
  holds_everywhere([](runtime::Runtime& runtime) {
    const FixedObjects known({object("foo", "5")});
    DeltaFIFO queue(runtime, {.known_objects = &known});
    runtime::Channel<bool> closed(runtime, 3);
    for (int i = 0; i < 3; ++i) {
      runtime::spawn(runtime, "popper", [&] {
        const cache::Popped popped = queue.pop(ignore);
        const bool is_closed =
            !popped.outcome && popped.outcome.error().kind == api::ErrorKind::Closed;
        closed.send(is_closed);
      });
    }
    // A step of its own, so that the poppers can get ahead of the close or into the middle of it.
    runtime.yield(runtime::Location::current());
    queue.close();
    for (int i = 0; i < 3; ++i) {
      expect(closed.receive().value(), "a pop on a closed queue says that it is closed");
    }
  });
}

BOOST_AUTO_TEST_CASE(what_was_queued_before_the_close_can_be_popped_after_it) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    DeltaFIFO queue(runtime);
    expect_ok(queue.add(object("a")));
    queue.close();
    expect_equal(pop_text(queue), "Added a@1");
    expect_equal(pop_text(queue), "error: the queue is closed");
    queue.close();
  });
}

// Mirrors TestDeltaFIFO_requeueOnPop (client-go before 0.33).
BOOST_AUTO_TEST_CASE(an_item_whose_process_asks_for_it_is_queued_again) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    DeltaFIFO queue(runtime);
    expect_ok(queue.add(object("foo", "10")));
    const cache::Popped quiet = queue.pop([](const cache::PopItem& item, bool) -> cache::Processed {
      expect_equal(text_of(item), "Added foo@10");
      return cache::ErrRequeue{};
    });
    expect_ok(quiet.outcome);
    expect_equal(text_of(queue.get_by_key("foo")), "Added foo@10");
    const cache::Popped failed =
        queue.pop([](const cache::PopItem& item, bool) -> cache::Processed {
          expect_equal(text_of(item), "Added foo@10");
          return cache::ErrRequeue{api::Error{.message = "test error"}};
        });
    expect_equal(failed.outcome.error().message, "test error");
    expect_equal(text_of(queue.get_by_key("foo")), "Added foo@10");
    expect_equal(pop_text(queue), "Added foo@10");
    expect(queue.get_by_key("foo").empty(), "a processed item is gone");
  });
}

BOOST_AUTO_TEST_CASE(an_item_whose_process_failed_is_gone_from_the_queue_and_handed_back) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    DeltaFIFO queue(runtime);
    expect_ok(queue.add(object("foo", "10")));
    const cache::Popped popped = queue.pop([](const cache::PopItem&, bool) -> cache::Processed {
      return api::Error{.message = "no luck"};
    });
    expect_equal(popped.outcome.error().message, "no luck");
    expect_equal(text_of(popped.item), "Added foo@10");
    expect_equal(queue.list_keys().size(), 0U);
  });
}

// Mirrors TestDeltaFIFO_addIfNotPresent (client-go before 0.33).
BOOST_AUTO_TEST_CASE(putting_back_never_overrides_something_newer) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    DeltaFIFO queue(runtime);
    const api::Result<void> without_deltas = queue.add_if_not_present(cache::Deltas{});
    expect(!without_deltas && without_deltas.error().kind == api::ErrorKind::Key,
           "no deltas have no key");
    expect_equal(without_deltas.error().message, "no key for an empty list of deltas");
    expect(!queue.add_if_not_present(object("d")).ok(), "an object is no list of deltas");
    expect_ok(queue.add(object("b", "3")));
    const cache::PopItem older = queue.pop(ignore).item;
    expect_ok(queue.update(object("c", "4")));
    const cache::PopItem only_one = queue.pop(ignore).item;
    expect_equal(queue.list_keys().size(), 0U);
    expect_ok(queue.add(object("a", "1")));
    expect_ok(queue.add(object("b", "2")));
    expect_ok(queue.add_if_not_present(older));
    expect_ok(queue.add_if_not_present(only_one));
    expect_equal(queue.list_keys().size(), 3U);
    expect_equal(joined(drain(queue)), "Added a@1 | Added b@2 | Updated c@4");
  });
}

BOOST_AUTO_TEST_CASE(a_process_that_panics_leaves_the_queue_usable) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    DeltaFIFO queue(runtime);
    expect_ok(queue.add(object("a")));
    expect_ok(queue.add(object("b")));
    expect_panic(
        [&] {
          (void)queue.pop([](const cache::PopItem&, bool) -> cache::Processed {
            throw runtime::Panic("handler broke");
          });
        },
        "handler broke");
    expect_equal(pop_text(queue), "Added b@1");
  });
}

BOOST_AUTO_TEST_CASE(a_slow_process_keeps_the_producer_out) {
  holds_everywhere([](runtime::Runtime& runtime) {
    DeltaFIFO queue(runtime);
    expect_pop_keeps_the_producer_out(runtime, queue);
    expect_equal(pop_text(queue), "Added a@2");
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
