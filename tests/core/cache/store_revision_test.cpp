// What stores can do since 0.34: their revision, transactions and transformers.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/cache/cache.hpp"
#include "core/runtime/task.hpp"
#include "tests/core/cache/queues.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(store_revision_test)

namespace {

using cache::Transaction;
using Type = cache::Transaction::Type;

cache::Cache telling(runtime::Runtime& runtime, const cache::Indexers& indexers = {}) {
  return cache::Cache(runtime, cache::deletion_handling_meta_namespace_key, indexers,
                      {.keeps_version = true});
}

api::Result<api::ObjectPtr> refuse_b(const api::ObjectPtr& given) {
  if (given->metadata.name == "b") {
    return api::Error{.message = "not b"};
  }
  return object(api::key_of(given->metadata), given->metadata.resource_version + "t");
}

std::string list_of(const cache::Store& store) {
  std::vector<std::string> texts;
  for (const api::ObjectPtr& object : store.list()) {
    texts.push_back(text_of(object));
  }
  return sorted(texts);
}

}  // namespace

// Mirrors TestThreadSafeStoreRV and TestStoreResourceVersion.
BOOST_AUTO_TEST_CASE(the_revision_is_that_of_the_last_change_list_or_bookmark) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    cache::Cache store = telling(runtime);
    const auto revision = [&] { return store.last_store_sync_resource_version(); };
    expect_equal(revision(), "");
    expect_ok(store.add(object("a", "3")));
    expect_equal(revision(), "3");
    expect_ok(store.add(object("b", "3")));
    expect_equal(revision(), "3");
    expect_ok(store.update(object("a", "2")));
    expect_equal(revision(), "2");
    expect_ok(store.remove(object("a", "5")));
    expect_equal(revision(), "5");
    expect_ok(store.remove(tombstone("a", object("a", "9"))));
    expect_equal(revision(), "5");
    expect_ok(store.remove(tombstone("b", object("b", "9"))));
    expect(store.get_by_key("b") == nullptr, "it is removed by its key");
    expect_equal(revision(), "5");
    const std::vector<api::ObjectPtr> list{object("b", "6"), object("c", "7")};
    expect_ok(store.replace(list, "8"));
    expect_equal(revision(), "8");
    store.bookmark("50");
    expect_equal(revision(), "50");
    store.bookmark("");
    expect_equal(revision(), "");
    // E12: a transformer that clears the revision clears that of the store.
    store.bookmark("60");
    expect_ok(store.add(object("d", "")));
    expect_equal(revision(), "");
    store.bookmark("70");
    expect(!store.add(tombstone("x")).ok(), "a store holds objects");
    expect_equal(revision(), "70");
  });
}

// A look between two steps: the revision is never ahead of the content.
BOOST_AUTO_TEST_CASE(a_store_holds_what_its_revision_says) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const std::vector<std::pair<std::string, std::string>> states{
        {"", ""},           {"1", "a@1"}, {"2", "a@2"}, {"3", "a@2 | b@3"},
        {"4", "a@4 | b@4"}, {"5", "a@4"}, {"6", "c@5"}};
    cache::Cache store = telling(runtime);
    const runtime::Task reader = runtime::spawn(runtime, "reader", [&] {
      for (int look = 0; look < 4; ++look) {
        const std::string said = store.last_store_sync_resource_version();
        const std::string held = list_of(store);
        const auto first =
            std::ranges::find(states, said, &std::pair<std::string, std::string>::first);
        expect(std::any_of(first, states.end(),
                           [&](const auto& state) { return state.second == held; }),
               "it has come to " + said + " and holds " + held);
      }
    });
    expect_ok(store.add(object("a", "1")));
    expect_ok(store.update(object("a", "2")));
    expect_ok(store.add(object("b", "3")));
    const std::vector<Transaction> both{{.type = Type::Update, .item = object("a", "4")},
                                        {.type = Type::Update, .item = object("b", "4")}};
    expect(!store.transaction(both).has_value(), "both are made");
    expect_ok(store.remove(object("b", "5")));
    const std::vector<api::ObjectPtr> list{object("c", "5")};
    expect_ok(store.replace(list, "6"));
    reader.join();
  });
}

// E16.
BOOST_AUTO_TEST_CASE(a_store_of_an_older_machine_does_not_give_its_revision) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    cache::Cache store(runtime);
    expect_ok(store.add(object("a", "3")));
    store.bookmark("50");
    expect_equal(store.last_store_sync_resource_version(), "");
  });
}

// Mirrors TestCacheTransactionShouldIndexErrors.
BOOST_AUTO_TEST_CASE(a_transaction_makes_what_it_can_and_says_what_it_has_made) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    cache::Cache store = telling(runtime);
    expect_ok(store.add(object("gone", "1")));
    const std::vector<Transaction> good{{.type = Type::Add, .item = object("a", "2")},
                                        {.type = Type::Update, .item = object("a", "3")},
                                        {.type = Type::Delete, .item = object("gone", "4")},
                                        {.type = Type::Delete, .item = tombstone("unknown")}};
    expect(!store.transaction(good).has_value(), "nothing has failed");
    expect_equal(list_of(store), "a@3");
    // Only the last one says it, and a tombstone says nothing.
    expect_equal(store.last_store_sync_resource_version(), "1");
    const std::vector<Transaction> mixed{{.type = Type::Add, .item = api::ObjectPtr()},
                                         {.type = Type::Add, .item = object("b", "6")},
                                         {.type = Type::Update, .item = tombstone("c")},
                                         {.type = Type::Delete, .item = object("a", "7")},
                                         {.type = Type::Delete, .item = api::ObjectPtr()}};
    const std::optional<cache::TransactionError> failed = store.transaction(mixed);
    expect(failed.has_value(), "some have failed");
    expect(failed->successful == std::vector<std::size_t>{1, 3}, "which were made");
    expect_equal(failed->total, 5U);
    expect_equal(failed->errors.size(), 3U);
    expect_equal(list_of(store), "b@6");
    expect_equal(store.last_store_sync_resource_version(), "7");
    const std::vector<Transaction> bad{{.type = Type::Add, .item = api::ObjectPtr()},
                                       {.type = Type::Update, .item = tombstone("c")}};
    const std::optional<cache::TransactionError> all_failed = store.transaction(bad);
    expect(all_failed.has_value(), "all have failed");
    expect(all_failed->successful.empty(), "none was made");
    expect_equal(all_failed->total, 2U);
    expect_equal(all_failed->errors.size(), 2U);
    expect_equal(list_of(store), "b@6");
    expect_equal(store.last_store_sync_resource_version(), "7");
    expect(!store.transaction({}).has_value(), "nothing is to be done");
    expect_equal(store.last_store_sync_resource_version(), "7");
  });
}

BOOST_AUTO_TEST_CASE(no_reader_sees_a_part_of_a_transaction) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    cache::Cache store = telling(runtime);
    std::string seen;
    const runtime::Task reader = runtime::spawn(runtime, "reader", [&] { seen = list_of(store); });
    const std::vector<Transaction> both{{.type = Type::Add, .item = object("a", "1")},
                                        {.type = Type::Add, .item = object("b", "2")}};
    expect(!store.transaction(both).has_value(), "both are made");
    reader.join();
    expect(seen.empty() || seen == "a@1 | b@2", "all or nothing, not " + seen);
  });
}

BOOST_AUTO_TEST_CASE(indices_follow_a_transaction) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    cache::Cache store =
        telling(runtime, {{std::string(cache::kNamespaceIndex), cache::meta_namespace_index}});
    const std::vector<Transaction> changes{{.type = Type::Add, .item = object("x/a", "1")},
                                           {.type = Type::Add, .item = object("x/b", "2")},
                                           {.type = Type::Delete, .item = object("x/a", "3")}};
    expect(!store.transaction(changes).has_value(), "all are made");
    expect_equal(sorted(*store.index_keys("namespace", "x")), "x/b");
  });
}

// Mirrors TestCacheWithTransformer.
BOOST_AUTO_TEST_CASE(a_store_with_a_transformer_stores_what_it_makes) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    cache::Cache store(runtime, cache::meta_namespace_key, {}, {.transformer = refuse_b});
    expect_ok(store.add(object("a", "1")));
    expect_equal(store.add(object("b", "1")).error().message, "transforming: not b");
    expect_equal(list_of(store), "a@1t");
    expect_ok(store.update(object("a", "5")));
    expect_equal(text_of(*store.get(object("a", "?"))), "a@5t");
    expect_equal(text_of(store.get_by_key("a")), "a@5t");
    expect_equal(store.update(object("b", "5")).error().message, "transforming: not b");
    expect_equal(joined(store.list_keys()), "a");
    expect_ok(store.remove(object("a", "6")));
    expect_equal(list_of(store), "");
    expect(*store.get(object("a", "?")) == nullptr, "it is removed");
    expect_ok(store.add(object("a", "1")));
    expect_equal(list_of(store), "a@1t");
    const std::vector<api::ObjectPtr> refused{object("c", "2"), object("b", "2")};
    expect(!store.replace(refused, "3").ok(), "one is refused");
    expect_equal(list_of(store), "a@1t");
    const std::vector<api::ObjectPtr> taken{object("c", "2"), object("a", "2")};
    expect_ok(store.replace(taken, "3"));
    expect_equal(list_of(store), "a@2t | c@2t");
    const std::vector<Transaction> untouched{{.type = Type::Add, .item = object("b", "4")}};
    expect(!store.transaction(untouched).has_value(), "a transaction does not transform");
    expect_equal(list_of(store), "a@2t | b@4 | c@2t");
    const std::vector<api::ObjectPtr> others{object("d", "5")};
    expect_ok(store.replace(others, "6"));
    expect_equal(list_of(store), "d@5t");
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
