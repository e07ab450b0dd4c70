// What of a RealFIFO's items goes into one batch, and what comes alone.
#include <boost/test/unit_test.hpp>

#include "core/cache/real_fifo.hpp"
#include "tests/core/cache/queues.hpp"
#include "tests/core/cache/real_fifo/real_fifos.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(real_fifo_batch_test)

using cache::RealFIFO;
using cache::RealFIFOOptions;

namespace {

std::string all_batches(RealFIFO& queue) {
  queue.close();
  std::vector<std::string> texts;
  for (std::string text = pop_batch_text(queue); !text.starts_with("error");
       text = pop_batch_text(queue)) {
    texts.push_back(std::move(text));
  }
  return joined(texts);
}

struct BatchRow {
  std::string_view names;
  std::size_t batch_size;
  std::string_view batches;
};

}  // namespace

// Mirrors TestRealFIFO_PopMultipleDeltaInBatch.
BOOST_AUTO_TEST_CASE(a_batch_ends_before_a_key_that_it_has_and_at_its_size) {
  const std::vector<BatchRow> rows{
      {"abc", 1000, "batch: Added a@1, Added b@2, Added c@3"},
      {"a", 1000, "single: Added a@1"},
      {"aab", 1000, "single: Added a@1 | batch: Added a@2, Added b@3"},
      {"aba", 1000, "batch: Added a@1, Added b@2 | single: Added a@3"},
      {"abb", 1000, "batch: Added a@1, Added b@2 | single: Added b@3"},
      {"aaa", 1000, "single: Added a@1 | single: Added a@2 | single: Added a@3"},
      {"abc", 1, "single: Added a@1 | single: Added b@2 | single: Added c@3"},
      {"abc", 2, "batch: Added a@1, Added b@2 | single: Added c@3"},
      {"abc", 3, "batch: Added a@1, Added b@2, Added c@3"},
  };
  for (const Machine machine : kMachines) {
    holds_in_every_world([&](runtime::Runtime& runtime) {
      for (const BatchRow& row : rows) {
        const FixedObjects nothing({});
        RealFIFOOptions options = options_of(machine, nothing);
        options.batch_size = row.batch_size;
        RealFIFO queue(runtime, options);
        add_all(queue, row.names);
        expect_equal(all_batches(queue), row.batches);
      }
    });
  }
}

namespace {

/// What is known and listed, what is updated behind that, and the batches of both.
struct ListRow {
  std::string_view listed;
  std::string_view updated;
  std::size_t batch_size;
  std::string_view batches;
};

/// The objects of these names, each of the one revision that it always has: a is a@1.
std::vector<api::ObjectPtr> named(std::string_view names) {
  std::vector<api::ObjectPtr> objects;
  for (const char name : names) {
    objects.push_back(object(std::string(1, name), std::to_string(name - 'a' + 1)));
  }
  return objects;
}

}  // namespace

// Mirrors TestRealFIFO_PopMultipleDeltaInBatch, whose queues know what they list.
BOOST_AUTO_TEST_CASE(a_key_of_the_first_list_may_come_again_in_the_next_batch) {
  const std::vector<ListRow> rows{
      {"abc", "", 1000, "batch initial: Replaced a@1, Replaced b@2, Replaced c@3"},
      {"ab", "cd", 2,
       "batch initial: Replaced a@1, Replaced b@2 | batch: Updated c@3, Updated d@4"},
      {"a", "aa", 1000, "single initial: Replaced a@1 | single: Updated a@1 | single: Updated a@1"},
      {"ab", "bc", 1000,
       "batch initial: Replaced a@1, Replaced b@2 | batch: Updated b@2, Updated c@3"},
      {"abc", "b", 1000,
       "batch initial: Replaced a@1, Replaced b@2, Replaced c@3 | single: Updated b@2"},
      {"abc", "", 2, "batch initial: Replaced a@1, Replaced b@2 | single initial: Replaced c@3"},
      {"", "abc", 2, "batch: Updated a@1, Updated b@2 | single: Updated c@3"},
      {"abc", "d", 2,
       "batch initial: Replaced a@1, Replaced b@2 | single initial: Replaced c@3 | "
       "single: Updated d@4"},
  };
  for (const bool before : {false, true}) {
    holds_in_every_world([&](runtime::Runtime& runtime) {
      for (const ListRow& row : rows) {
        const std::vector<api::ObjectPtr> listed = named(row.listed);
        const FixedObjects known(listed);
        RealFIFO queue(runtime, {.known_objects = &known,
                                 .count_before_processing = before,
                                 .batch_size = row.batch_size});
        expect_ok(replace(queue, listed));
        for (const api::ObjectPtr& updated : named(row.updated)) {
          expect_ok(queue.update(updated));
        }
        expect_equal(all_batches(queue), row.batches);
      }
    });
  }
}

// Mirrors TestRealFIFO_PopMultipleDeltaInBatch, its row about the first list.
BOOST_AUTO_TEST_CASE(no_batch_holds_items_of_the_first_list_and_later_ones) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const FixedObjects known({object("z", "1")});
    RealFIFO queue(runtime, {.known_objects = &known});
    expect_ok(replace(queue, {object("a"), object("b")}));
    expect_ok(queue.add(object("c")));
    expect_ok(queue.add(object("d")));
    expect_equal(all_batches(queue),
                 "batch initial: Deleted gone(z@1), Replaced a@1, Replaced b@1 | "
                 "batch: Added c@1, Added d@1");
    expect(queue.has_synced(), "the first batch was all of the first list");
  });
}

BOOST_AUTO_TEST_CASE(a_batch_counts_all_its_items_of_the_first_list) {
  for (const bool before : {false, true}) {
    holds_in_every_world([before](runtime::Runtime& runtime) {
      const FixedObjects nothing({});
      RealFIFO queue(
          runtime, {.known_objects = &nothing, .count_before_processing = before, .batch_size = 2});
      expect_ok(replace(queue, {object("a"), object("b"), object("c")}));
      expect_equal(pop_batch_text(queue), "batch initial: Replaced a@1, Replaced b@1");
      expect(!queue.has_synced(), "one of the list is left");
      expect_equal(pop_batch_text(queue), "single initial: Replaced c@1");
      expect(queue.has_synced(), "none is");
    });
  }
}

BOOST_AUTO_TEST_CASE(what_is_about_no_single_object_comes_alone) {
  for_each_atomic_machine([](runtime::Runtime&, RealFIFO& queue) {
    expect_ok(queue.replace(std::vector{object("a")}, "1"));
    expect_ok(queue.bookmark("2"));
    add_all(queue, "bc");
    expect_ok(queue.resync());
    expect_ok(queue.bookmark("3"));
    add_all(queue, "d");
    expect_equal(all_batches(queue),
                 "single initial: ReplacedAll 1[a@1] | single: Bookmark 2 | "
                 "batch: Added b@1, Added c@2 | single: SyncAll | single: Bookmark 3 | "
                 "single: Added d@1");
  });
}

// Mirrors TestRealFIFO_PopBrokenItemsInBatch: the transform takes the name, so the key, away.
BOOST_AUTO_TEST_CASE(an_item_without_a_key_ends_its_batch) {
  const auto unname_capitals = [](const api::ObjectPtr& given) -> api::Result<api::ObjectPtr> {
    const bool is_capital = given->metadata.name < "a";
    return is_capital ? object("", given->metadata.resource_version) : given;
  };
  const auto key = [](const cache::Item& item) -> api::Result<std::string> {
    if (cache::object_of(item)->metadata.name.empty()) {
      return api::Error{.message = "no name"};
    }
    return cache::meta_namespace_key(item);
  };
  const std::vector<BatchRow> rows{
      {"A", 1000, "single: Added @1"},
      {"Aab", 1000, "single: Added @1 | batch: Added a@2, Added b@3"},
      {"AaB", 1000, "single: Added @1 | batch: Added a@2, Added @3"},
      {"abA", 1000, "batch: Added a@1, Added b@2, Added @3"},
      {"abAB", 1000, "batch: Added a@1, Added b@2, Added @3 | single: Added @4"},
      {"aAb", 1000, "batch: Added a@1, Added @2 | single: Added b@3"},
      {"AAb", 1000, "single: Added @1 | single: Added @2 | single: Added b@3"},
      {"aAbBc", 1000,
       "batch: Added a@1, Added @2 | batch: Added b@3, Added @4 | single: Added c@5"},
  };
  for (const Machine machine : kMachines) {
    holds_in_every_world([&](runtime::Runtime& runtime) {
      for (const BatchRow& row : rows) {
        const FixedObjects nothing({});
        RealFIFOOptions options = options_of(machine, nothing);
        options.transformer = unname_capitals;
        options.key_function = key;
        RealFIFO queue(runtime, options);
        add_all(queue, row.names);
        expect_equal(all_batches(queue), row.batches);
      }
    });
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
