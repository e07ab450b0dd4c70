#include "core/cache/fifo.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <functional>

#include "core/runtime/channel.hpp"
#include "core/runtime/task.hpp"
#include "tests/core/cache/queues.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(fifo_test)

namespace {

using cache::FIFO;

using Action = std::function<void(FIFO&)>;

const Action kAddA = [](FIFO& queue) { expect_ok(queue.add(object("a"))); };
const Action kRemoveA = [](FIFO& queue) { expect_ok(queue.remove(object("a"))); };
const Action kListNothing = [](FIFO& queue) { expect_ok(replace(queue, {})); };
const Action kListTwo = [](FIFO& queue) { expect_ok(replace(queue, {object("a"), object("b")})); };
const Action kListOneTwice = [](FIFO& queue) {
  expect_ok(replace(queue, {object("a", "1"), object("a", "2")}));
};
const Action kPop = [](FIFO& queue) { (void)queue.pop(ignore); };

struct SyncRow {
  std::vector<Action> actions;
  bool synced;
};

}  // namespace

// Mirrors TestFIFO_basic. Each producer has three keys, and of the middle one three states, of
// which only the last one is sure to be seen.
BOOST_AUTO_TEST_CASE(each_key_comes_out_in_its_turn_with_states_that_only_get_newer) {
  holds_everywhere([](runtime::Runtime& runtime) {
    FIFO queue(runtime);
    const auto produce = [&](const std::string& name) {
      for (int i = 1; i <= 5; ++i) {
        const char* const suffix = i == 1 ? "-first" : i == 5 ? "-last" : "-middle";
        expect_ok(queue.add(object(name + suffix, std::to_string(i))));
      }
    };
    const auto first = runtime::spawn(runtime, "first", [&] { produce("a"); });
    const auto second = runtime::spawn(runtime, "second", [&] { produce("b"); });
    std::string seen[2];
    while (!seen[0].ends_with("5") || !seen[1].ends_with("5")) {
      const cache::Popped popped = queue.pop(ignore);
      const api::ObjectPtr& state = std::get<api::ObjectPtr>(popped.item);
      seen[state->metadata.name.front() == 'a' ? 0 : 1] += state->metadata.resource_version;
    }
    first.join();
    second.join();
    for (const std::string& each : seen) {
      expect(std::ranges::adjacent_find(each, std::greater_equal<>()) == each.end(), each);
      expect(each.starts_with("1") && each.ends_with("45"), "none is lost, not " + each);
    }
    expect_equal(queue.list_keys().size(), 0U);
  });
}

// Mirrors TestFIFO_addUpdate.
BOOST_AUTO_TEST_CASE(only_the_newest_state_comes_out_and_once) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    FIFO queue(runtime);
    expect_ok(queue.add(object("foo", "10")));
    expect_ok(queue.update(object("foo", "15")));
    expect_equal(joined(queue.list_keys()), "foo");
    expect_equal(queue.list().size(), 1U);
    expect_equal(text_of(queue.list().front()), "foo@15");
    expect_equal(joined(drain(queue)), "foo@15");
    expect(queue.get_by_key("foo") == nullptr, "a popped object is gone");
    expect(*queue.get(object("foo")) == nullptr, "also when it is asked for by object");
    queue.close();
    expect_equal(pop_text(queue), "error: the queue is closed");
  });
}

// Mirrors TestFIFO_addReplace.
BOOST_AUTO_TEST_CASE(a_list_takes_the_place_of_all_that_is_queued) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    FIFO queue(runtime);
    expect_ok(queue.add(object("foo", "10")));
    expect_ok(queue.add(object("gone", "11")));
    expect_ok(replace(queue, {object("foo", "15"), object("bar", "16")}));
    expect_equal(text_of(*queue.get(object("foo"))), "foo@15");
    expect_equal(sorted(drain(queue)), "bar@16 | foo@15");
    expect(*queue.get(object("foo")) == nullptr, "a popped object is gone");
    queue.close();
    expect_equal(pop_text(queue), "error: the queue is closed");
  });
}

// Mirrors TestFIFO_detectLineJumpers.
BOOST_AUTO_TEST_CASE(an_updated_object_keeps_its_place) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    FIFO queue(runtime);
    expect_ok(queue.add(object("foo", "10")));
    expect_ok(queue.add(object("bar", "1")));
    expect_ok(queue.add(object("foo", "11")));
    expect_ok(queue.add(object("foo", "13")));
    expect_ok(queue.add(object("zab", "30")));
    expect_equal(pop_text(queue), "foo@13");
    expect_ok(queue.add(object("foo", "14")));
    expect_equal(joined(drain(queue)), "bar@1 | zab@30 | foo@14");
  });
}

BOOST_AUTO_TEST_CASE(a_removed_object_is_skipped_and_the_next_one_comes_out) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    FIFO queue(runtime);
    expect_ok(queue.add(object("foo", "1")));
    expect_ok(queue.add(object("bar", "1")));
    expect_ok(queue.remove(object("foo")));
    expect_ok(queue.remove(object("never there")));
    expect_equal(pop_text(queue), "bar@1");
  });
}

BOOST_AUTO_TEST_CASE(a_pop_that_finds_only_removed_objects_continues_waiting) {
  holds_everywhere([](runtime::Runtime& runtime) {
    FIFO queue(runtime);
    expect_ok(queue.add(object("foo", "1")));
    expect_ok(queue.remove(object("foo")));
    const runtime::Task producer =
        runtime::spawn(runtime, "producer", [&] { expect_ok(queue.add(object("bar", "2"))); });
    expect_equal(pop_text(queue), "bar@2");
    producer.join();
  });
}

// Own analysis of the original: the key is queued twice then.
BOOST_AUTO_TEST_CASE(an_object_removed_and_added_again_comes_out_at_its_old_place_and_once) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    FIFO queue(runtime);
    expect_ok(queue.add(object("foo", "1")));
    expect_ok(queue.add(object("bar", "1")));
    expect_ok(queue.remove(object("foo")));
    expect_ok(queue.add(object("foo", "2")));
    expect_equal(joined(drain(queue)), "foo@2 | bar@1");
    queue.close();
    expect_equal(pop_text(queue), "error: the queue is closed");
  });
}

// Mirrors TestFIFO_HasSynced.
BOOST_AUTO_TEST_CASE(a_queue_has_synced_when_its_first_list_is_popped) {
  const std::vector<SyncRow> rows{
      {{}, false},
      {{kAddA}, true},
      {{kRemoveA}, true},
      {{kListNothing}, true},
      {{kListTwo}, false},
      {{kListTwo, kPop}, false},
      {{kListTwo, kPop, kPop}, true},
      {{kListOneTwice, kPop}, true},
  };
  holds_in_every_world([&](runtime::Runtime& runtime) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      FIFO queue(runtime);
      for (const Action& action : rows[i].actions) {
        action(queue);
      }
      expect(queue.has_synced() == rows[i].synced, "row " + std::to_string(i));
    }
  });
}

// Own analysis of the original (the bug museum's B17).
// The original of 0.36 and later: what a pop takes counts when it returns.
BOOST_AUTO_TEST_CASE(a_removed_key_at_the_end_of_the_first_list_counts_late_since_0_36) {
  holds_everywhere([](runtime::Runtime& runtime) {
    for (const bool early : {true, false}) {
      FIFO queue(runtime, cache::meta_namespace_key, {.count_before_processing = early});
      expect_ok(replace(queue, {object("a"), object("b")}));
      std::string popped;
      const auto pop = [&] {
        bool was_initial = false;
        (void)queue.pop([&](const cache::PopItem& item, bool initial) -> cache::Processed {
          popped = std::get<api::ObjectPtr>(item)->metadata.name;
          was_initial = initial;
          return {};
        });
        return was_initial;
      };
      expect(pop(), "the first is of the first list");
      expect_ok(queue.add(object("c")));
      expect_ok(queue.remove(object(popped == "a" ? "b" : "a")));
      expect(!queue.has_synced(), "one key of the list waits");
      expect(pop() != early, "what is popped behind it counts as of the list, but for older ones");
      expect(queue.has_synced(), "the list is through");
    }
  });
}

BOOST_AUTO_TEST_CASE(a_close_behind_a_removed_key_ends_the_first_list) {
  holds_everywhere([](runtime::Runtime& runtime) {
    FIFO queue(runtime, cache::meta_namespace_key, {.count_before_processing = false});
    expect_ok(replace(queue, {object("a")}));
    expect_ok(queue.remove(object("a")));
    queue.close();
    expect(!queue.has_synced(), "the key of the list waits");
    expect(!queue.pop(ignore).outcome, "nothing is left");
    expect(queue.has_synced(), "the list is through");
  });
}

BOOST_AUTO_TEST_CASE(a_second_list_before_the_first_is_popped_keeps_the_old_count) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    FIFO queue(runtime);
    expect_ok(replace(queue, {object("a"), object("b")}));
    expect_ok(replace(queue, {object("a")}));
    (void)queue.pop(ignore);
    expect(!queue.has_synced(), "the count is the first list's");
    expect_ok(queue.add(object("c")));
    (void)queue.pop(ignore);
    expect(queue.has_synced(), "a later item makes up for it");
  });
}

// Mirrors TestFIFO_PopShouldUnblockWhenClosed.
BOOST_AUTO_TEST_CASE(closing_wakes_every_waiter_for_an_item) {
  holds_everywhere([](runtime::Runtime& runtime) {
    FIFO queue(runtime);
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
    expect(queue.is_closed(), "a closed queue says so");
  });
}

// Mirrors TestFIFO_requeueOnPop (client-go before 0.33).
BOOST_AUTO_TEST_CASE(an_item_whose_process_asks_for_it_is_queued_again_unless_a_newer_one_is) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    FIFO queue(runtime);
    expect_ok(queue.add(object("foo", "10")));
    const auto pop = [&](const cache::Processed& answer) {
      return queue.pop([&](const cache::PopItem& item, bool) -> cache::Processed {
        expect_equal(text_of(item), "foo@10");
        return answer;
      });
    };
    const cache::Popped quiet = pop(cache::ErrRequeue{});
    expect_ok(quiet.outcome);
    expect_equal(text_of(quiet.item), "foo@10");
    expect_equal(text_of(queue.get_by_key("foo")), "foo@10");
    const cache::Popped popped = pop(cache::ErrRequeue{api::Error{.message = "test error"}});
    expect_equal(popped.outcome.error().message, "test error");
    expect_equal(text_of(queue.get_by_key("foo")), "foo@10");
    expect_ok(pop({}).outcome);
    expect(queue.get_by_key("foo") == nullptr, "a processed object is gone");
  });
}

// Mirrors TestFIFO_addIfNotPresent (client-go before 0.33).
BOOST_AUTO_TEST_CASE(putting_back_never_overrides_something_newer) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    FIFO queue(runtime);
    expect_ok(queue.add(object("a", "1")));
    expect_ok(queue.add(object("b", "3")));
    expect_ok(queue.add_if_not_present(object("b", "2")));
    expect_ok(queue.add_if_not_present(object("b", "5")));  // Revisions are not compared.
    expect_ok(queue.add_if_not_present(object("c", "4")));
    expect(!queue.add_if_not_present(cache::Deltas{}).ok(), "deltas are no object");
    expect_equal(queue.list_keys().size(), 3U);
    expect_equal(joined(drain(queue)), "a@1 | b@3 | c@4");
  });
}

BOOST_AUTO_TEST_CASE(a_resync_changes_nothing_when_everything_is_queued) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    FIFO queue(runtime);
    expect_ok(queue.add(object("a")));
    expect_ok(queue.resync());
    expect_equal(joined(drain(queue)), "a@1");
    queue.close();
    expect_equal(pop_text(queue), "error: the queue is closed");
  });
}

// Mirrors TestFIFOCache.
BOOST_AUTO_TEST_CASE(what_is_queued_can_be_read_as_in_a_store) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    FIFO queue(runtime);
    expect_ok(queue.add(object("foo", "1")));
    expect_equal(text_of(*queue.get(object("foo", "9"))), "foo@1");
    expect_ok(queue.add(object("bar", "1")));
    expect_ok(queue.update(object("foo", "2")));
    expect_equal(text_of(*queue.get(object("foo"))), "foo@2");
    expect_equal(text_of(queue.get_by_key("bar")), "bar@1");
    expect(queue.get_by_key("baz") == nullptr, "it was never queued");
    expect_equal(sorted(queue.list_keys()), "bar | foo");
    std::vector<std::string> listed;
    for (const api::ObjectPtr& each : queue.list()) {
      listed.push_back(text_of(each));
    }
    expect_equal(sorted(listed), "bar@1 | foo@2");
    expect_ok(queue.remove(object("foo")));
    expect(*queue.get(object("foo")) == nullptr, "it was removed");
    expect_ok(replace(queue, {object("new", "7"), object("foo", "8")}));
    expect_equal(sorted(queue.list_keys()), "foo | new");
    listed.clear();
    for (const api::ObjectPtr& each : queue.list()) {
      listed.push_back(text_of(each));
    }
    expect_equal(sorted(listed), "foo@8 | new@7");
  });
}

BOOST_AUTO_TEST_CASE(a_tombstone_is_no_object_to_be_queued) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    FIFO queue(runtime, cache::deletion_handling_meta_namespace_key);
    expect(!queue.add(tombstone("foo", object("foo"))).ok(), "it cannot be added");
    expect_ok(queue.add(object("foo")));
    expect_ok(queue.remove(tombstone("foo")));
    expect_equal(queue.list().size(), 0U);
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
