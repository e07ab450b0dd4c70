#include "core/cache/store.hpp"

#include <boost/test/unit_test.hpp>
#include <memory>

#include "core/cache/cache.hpp"
#include "core/port/expiration_cache.hpp"
#include "core/port/undelta_store.hpp"
#include "core/runtime/task.hpp"
#include "tests/core/cache/queues.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(store_test)

namespace {

using MakeStore = std::function<std::unique_ptr<cache::Store>(runtime::Runtime&)>;

std::string contents(const cache::Store& store) {
  std::vector<std::string> texts;
  for (const api::ObjectPtr& object : store.list()) {
    texts.push_back(text_of(object));
  }
  return sorted(texts);
}

/// What every store does. Mirrors doTestStore of client-go's store_test.
void keeps_the_contract(runtime::Runtime& runtime, const MakeStore& make) {
  const std::unique_ptr<cache::Store> store = make(runtime);
  expect_ok(store->add(object("ns/foo", "1")));
  expect_equal(text_of(*store->get(object("ns/foo"))), "ns/foo@1");
  expect_ok(store->update(object("ns/foo", "2")));
  expect_equal(text_of(store->get_by_key("ns/foo")), "ns/foo@2");
  expect_equal(text_of(*store->get(object("ns/foo"))), "ns/foo@2");
  expect(*store->get(object("foo")) == nullptr, "another namespace is another object");
  expect_ok(store->remove(object("ns/foo", "9")));
  expect_ok(store->remove(object("ns/foo", "9")));
  expect(store->get_by_key("ns/foo") == nullptr, "a removed object is gone");
  expect(*store->get(object("ns/foo")) == nullptr, "also when it is asked for by object");
  expect_ok(store->add(object("a", "1")));
  expect_ok(store->add(object("b", "1")));
  expect_equal(contents(*store), "a@1 | b@1");
  expect_equal(sorted(store->list_keys()), "a | b");
  expect_ok(replace(*store, {object("b", "2"), object("c", "2"), object("c", "3")}));
  expect_equal(contents(*store), "b@2 | c@3");
  expect(store->get_by_key("a") == nullptr, "what a list does not have is gone");
  expect_ok(store->resync());
  const api::Result<void> no_key = store->add(tombstone("a"));
  expect(no_key.error().kind == api::ErrorKind::Key, "a tombstone has no meta key");
  expect(!replace(*store, {object("d"), nullptr}).ok(), "a null object has no key");
  expect_equal(contents(*store), "b@2 | c@3");
}

}  // namespace

// Mirrors TestCache.
BOOST_AUTO_TEST_CASE(the_cache_keeps_the_contract) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    keeps_the_contract(runtime,
                       [](runtime::Runtime& r) { return std::make_unique<cache::Cache>(r); });
  });
}

// Mirrors TestUndeltaStore.
BOOST_AUTO_TEST_CASE(the_undelta_store_keeps_the_contract) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    keeps_the_contract(runtime, [](runtime::Runtime& r) {
      return std::make_unique<cache::UndeltaStore>(r, [](const auto&) {});
    });
  });
}

BOOST_AUTO_TEST_CASE(the_expiring_store_keeps_the_contract) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    keeps_the_contract(runtime, [](runtime::Runtime& r) {
      return cache::make_ttl_store(r, std::chrono::hours(1));
    });
  });
}

BOOST_AUTO_TEST_CASE(a_tombstone_is_not_stored_even_when_it_has_a_key) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    cache::Cache store(runtime, cache::deletion_handling_meta_namespace_key);
    expect(!store.add(tombstone("a", object("a"))).ok(), "only objects are stored");
    expect_ok(store.add(object("a")));
    expect_ok(store.remove(tombstone("a")));
    expect_equal(store.list().size(), 0);
  });
}

BOOST_AUTO_TEST_CASE(a_list_that_was_handed_out_never_changes) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    cache::Cache store(runtime);
    expect_ok(store.add(object("a", "1")));
    const std::vector<api::ObjectPtr> before = store.list();
    expect_ok(store.update(object("a", "2")));
    expect_ok(store.add(object("b", "1")));
    expect_equal(before.size(), 1);
    expect_equal(text_of(before.front()), "a@1");
  });
}

// A reader sees one moment: both of a pair that is always replaced together, or none.
BOOST_AUTO_TEST_CASE(a_list_is_one_moment_of_the_store) {
  holds_everywhere([](runtime::Runtime& runtime) {
    cache::Cache store(runtime, cache::meta_namespace_key,
                       {{"namespace", cache::meta_namespace_index}});
    const runtime::Task writer = runtime::spawn(runtime, "writer", [&] {
      for (int i = 1; i <= 3; ++i) {
        const std::string version = std::to_string(i);
        expect_ok(replace(store, {object("ns/a", version), object("ns/b", version)}));
      }
    });
    for (int i = 0; i < 3; ++i) {
      const std::vector<api::ObjectPtr> all = store.list();
      const std::vector<api::ObjectPtr> indexed = *store.by_index("namespace", "ns");
      for (const auto& seen : {all, indexed}) {
        expect(seen.empty() || seen.size() == 2, "both or none");
        expect(seen.empty() ||
                   seen[0]->metadata.resource_version == seen[1]->metadata.resource_version,
               "both of the same list");
      }
    }
    writer.join();
  });
}

// Mirrors TestUpdateCallsPush, TestDeleteCallsPush, TestReplaceCallsPush, TestReadsDoNotCallPush.
BOOST_AUTO_TEST_CASE(changes_push_everything_and_reads_push_nothing) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    std::vector<std::string> pushed;
    cache::UndeltaStore store(runtime, [&](const std::vector<api::ObjectPtr>& all) {
      std::vector<std::string> texts;
      for (const api::ObjectPtr& each : all) {
        texts.push_back(text_of(each));
      }
      pushed.push_back("[" + sorted(texts) + "]");
    });
    (void)store.list();
    (void)store.get(object("a"));
    expect_equal(pushed.size(), 0);
    expect_ok(store.add(object("a", "2")));
    expect_ok(store.update(object("a", "1")));
    expect_equal(joined(pushed), "[a@2] | [a@1]");
    expect_ok(store.add(object("b", "1")));
    expect_ok(store.remove(object("a", "9")));
    expect_ok(store.remove(object("b", "9")));
    expect_ok(replace(store, {object("x", "1"), object("y", "2"), object("z", "3")}));
    expect_ok(replace(store, {object("a", "1")}));
    expect_equal(joined(pushed),
                 "[a@2] | [a@1] | [a@1 | b@1] | [b@1] | [] | [x@1 | y@2 | z@3] | [a@1]");
    expect_ok(store.resync());
    (void)store.list();
    (void)store.list_keys();
    (void)store.get_by_key("x");
    expect(!store.add(tombstone("a")).ok(), "a key error changes nothing");
    expect_equal(pushed.size(), 7);
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
