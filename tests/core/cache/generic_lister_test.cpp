#include "core/informers/generic_lister.hpp"

#include <boost/test/unit_test.hpp>

#include "core/cache/cache.hpp"
#include "tests/core/cache/queues.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(generic_lister_test)

namespace {

using api::LabelSelector;
using cache::Cache;

void fill(Cache& store) {
  expect_ok(store.add(object("one/a", "1", {{"app", "web"}})));
  expect_ok(store.add(object("one/b", "1", {{"app", "db"}})));
  expect_ok(store.add(object("two/a", "1", {{"app", "web"}})));
  expect_ok(store.add(object("node", "1")));
}

std::string texts_of(const std::vector<api::ObjectPtr>& objects) {
  std::vector<std::string> texts;
  for (const api::ObjectPtr& each : objects) {
    texts.push_back(api::key_of(each->metadata));
  }
  return sorted(texts);
}

const LabelSelector kWeb = LabelSelector::from({{"app", "web"}});
const api::GroupVersionResource kConfigMaps{.group = "", .version = "v1", .resource = "configmaps"};

}  // namespace

// Mirrors TestListAll.
BOOST_AUTO_TEST_CASE(a_lister_lists_what_the_selector_matches) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const auto store = std::make_shared<Cache>(runtime);
    fill(*store);
    const cache::GenericLister lister(store, kConfigMaps);
    expect_equal(texts_of(lister.list(LabelSelector())), "node | one/a | one/b | two/a");
    expect_equal(texts_of(lister.list(kWeb)), "one/a | two/a");
    expect_equal(texts_of(lister.list(LabelSelector::from({{"app", "none"}}))), "");
    expect_equal(texts_of(lister.list(LabelSelector::nothing())), "");
  });
}

BOOST_AUTO_TEST_CASE(a_namespace_is_listed_with_and_without_its_index) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const auto plain = std::make_shared<Cache>(runtime);
    const auto indexed = std::make_shared<Cache>(
        runtime, cache::meta_namespace_key,
        cache::Indexers{{std::string(cache::kNamespaceIndex), cache::meta_namespace_index}});
    for (const auto& store : {plain, indexed}) {
      fill(*store);
      const cache::GenericLister lister(store, kConfigMaps);
      expect_equal(texts_of(lister.by_namespace("one").list(LabelSelector())), "one/a | one/b");
      expect_equal(texts_of(lister.by_namespace("one").list(kWeb)), "one/a");
      expect_equal(texts_of(lister.by_namespace("").list(kWeb)), "one/a | two/a");
      expect_equal(texts_of(lister.by_namespace("one").list(LabelSelector::nothing())), "");
    }
  });
}

BOOST_AUTO_TEST_CASE(what_the_cache_does_not_have_is_not_found_as_the_server_would_say) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const auto store = std::make_shared<Cache>(runtime);
    fill(*store);
    const cache::GenericLister lister(store, kConfigMaps);
    expect_equal(text_of(*lister.get("node")), "node@1");
    expect_equal(text_of(*lister.by_namespace("two").get("a")), "two/a@1");
    const auto missing = lister.by_namespace("two").get("b");
    expect(api::is_not_found(missing.error()), "a status NotFound");
    expect_equal(missing.error().message, "configmaps \"b\" not found");
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
