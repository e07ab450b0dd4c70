#include "core/cache/indexer.hpp"

#include <boost/test/unit_test.hpp>
#include <map>
#include <set>
#include <sstream>

#include "core/cache/cache.hpp"
#include "tests/core/cache/queues.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(indexer_test)

namespace {

using cache::Cache;
using Values = std::vector<std::string>;

/// The words of the label "values".
api::Result<Values> words(const api::ObjectPtr& object) {
  Values values;
  const auto found = object->metadata.labels.find("values");
  if (found != object->metadata.labels.end()) {
    std::istringstream text(found->second);
    for (std::string word; text >> word;) {
      values.push_back(word);
    }
  }
  return values;
}

api::ObjectPtr with_values(const std::string& name, const std::string& values) {
  return object(name, "1", {{"values", values}});
}

Cache indexed_cache(runtime::Runtime& runtime) {
  return Cache(runtime, cache::meta_namespace_key, {{"words", words}});
}

/// Who stands under the value, by keys and by objects.
std::string keys(const Cache& store, const std::string& value) {
  std::vector<std::string> of_objects;
  const auto objects = store.by_index("words", value);
  for (const api::ObjectPtr& each : *objects) {
    of_objects.push_back(api::key_of(each->metadata));
  }
  const std::string found = joined(*store.index_keys("words", value));
  expect_equal(sorted(of_objects), found);
  return found;
}

/// A store as plain as can be, to compare with.
class Model {
 public:
  void put(const api::ObjectPtr& object) { objects_[object->metadata.name] = *words(object); }
  void erase(const std::string& name) { objects_.erase(name); }
  void clear() { objects_.clear(); }
  [[nodiscard]] std::string keys(const std::string& value) const {
    std::set<std::string> found;
    for (const auto& [name, values] : objects_) {
      for (const std::string& each : values) {
        if (each == value) {
          found.insert(name);
        }
      }
    }
    return joined({found.begin(), found.end()});
  }

 private:
  std::map<std::string, Values> objects_;
};

void take_random_step(runtime::Runtime& runtime, Cache& store, Model& model) {
  const std::string name(1, static_cast<char>('p' + runtime.choose(5, "name")));
  std::string values;
  for (std::size_t i = runtime.choose(4, "how many"); i > 0; --i) {
    values += std::string(1, static_cast<char>('a' + runtime.choose(3, "value"))) + " ";
  }
  const std::size_t step = runtime.choose(8, "step");
  if (step == 0) {
    model.clear();
    model.put(with_values(name, values));
    expect_ok(replace(store, {with_values(name, values)}));
  } else if (step <= 2) {
    model.erase(name);
    expect_ok(store.remove(object(name)));
  } else {
    model.put(with_values(name, values));
    expect_ok(store.update(with_values(name, values)));
  }
}

}  // namespace

// Mirrors TestGetIndexFuncValues.
BOOST_AUTO_TEST_CASE(only_values_that_some_object_has_are_listed) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Cache store = indexed_cache(runtime);
    expect_ok(store.add(with_values("one", "foo")));
    expect_ok(store.add(with_values("two", "foo")));
    expect_ok(store.add(with_values("tre", "bar")));
    expect_equal(sorted(store.list_index_function_values("words")), "bar | foo");
    expect_equal(store.list_index_function_values("nothing").size(), 0);
  });
}

// Mirrors TestMultiIndexKeys.
BOOST_AUTO_TEST_CASE(an_object_stands_under_each_of_its_values) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Cache store = indexed_cache(runtime);
    expect_ok(store.add(with_values("one", "ernie bert")));
    expect_ok(store.add(with_values("two", "oscar bert")));
    expect_ok(store.add(with_values("tre", "ernie elmo")));
    expect_equal(keys(store, "bert"), "one | two");
    expect_equal(keys(store, "ernie"), "one | tre");
    expect_equal(keys(store, "elmo"), "tre");
    expect_equal(keys(store, "oscar"), "two");
    expect_equal(keys(store, "nobody"), "");
    expect_ok(store.remove(with_values("tre", "")));
    expect_equal(keys(store, "elmo"), "");
    expect_equal(keys(store, "ernie"), "one");
    expect_ok(store.update(with_values("two", "oscar")));
    expect_equal(keys(store, "bert"), "one");
    expect_equal(keys(store, "oscar"), "two");
  });
}

// Mirrors TestThreadSafeStoreIndexingFunctionsWithMultipleValues (bug museum B77).
BOOST_AUTO_TEST_CASE(an_update_moves_an_object_exactly_where_its_values_say) {
  const std::vector<std::string> sets{"", "a", "b", "a b", "b a", "a a", "b c", "a b c"};
  holds_in_every_world([&](runtime::Runtime& runtime) {
    for (const std::string& before : sets) {
      for (const std::string& after : sets) {
        Cache store = indexed_cache(runtime);
        expect_ok(store.add(with_values("other", "a b c")));
        expect_ok(store.add(with_values("x", before)));
        expect_ok(store.update(with_values("x", after)));
        for (const char value : std::string("abc")) {
          const bool has = after.find(value) != std::string::npos;
          expect_equal(keys(store, std::string(1, value)), has ? "other | x" : "other");
        }
      }
    }
  });
}

// Mirrors TestThreadSafeStoreDeleteRemovesEmptySetsFromIndex and
// TestThreadSafeStoreAddKeepsNonEmptySetPostDeleteFromIndex (bug museum B79).
BOOST_AUTO_TEST_CASE(a_value_is_forgotten_with_its_last_object_and_not_before) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Cache store = indexed_cache(runtime);
    expect_ok(store.add(with_values("one", "shared")));
    expect_ok(store.add(with_values("two", "shared")));
    expect_equal(keys(store, "shared"), "one | two");
    expect_ok(store.remove(with_values("one", "")));
    expect_equal(keys(store, "shared"), "two");
    expect_equal(joined(store.list_index_function_values("words")), "shared");
    expect_ok(store.remove(with_values("two", "")));
    expect_equal(store.list_index_function_values("words").size(), 0);
    expect_equal(store.by_index("words", "shared")->size(), 0);
  });
}

// Mirrors TestIndex.
BOOST_AUTO_TEST_CASE(index_finds_what_shares_a_value_and_each_object_once) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Cache store = indexed_cache(runtime);
    expect_ok(store.add(with_values("one", "a b")));
    expect_ok(store.add(with_values("two", "b")));
    expect_ok(store.add(with_values("tre", "c")));
    const auto sharing_with = [&](const api::ObjectPtr& asks) {
      std::vector<std::string> found;
      const auto sharing = store.index("words", asks);
      for (const api::ObjectPtr& each : *sharing) {
        found.push_back(text_of(each));
      }
      return sorted(found);
    };
    expect_equal(sharing_with(with_values("asks", "a b none")), "one@1 | two@1");
    expect_equal(sharing_with(with_values("two", "b")), "one@1 | two@1");  // itself, too
    expect_equal(sharing_with(with_values("asks", "c")), "tre@1");
  });
}

BOOST_AUTO_TEST_CASE(an_unknown_index_is_an_error_that_names_it) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const Cache store(runtime);
    expect_equal(store.by_index("nope", "x").error().message,
                 "index with name nope does not exist");
    expect(!store.index("nope", object("x")).ok(), "index fails too");
    expect(!store.index_keys("nope", "x").ok(), "index_keys fails too");
  });
}

BOOST_AUTO_TEST_CASE(a_list_rebuilds_all_indices) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Cache store = indexed_cache(runtime);
    expect_ok(store.add(with_values("old", "a")));
    expect_ok(replace(
        store, {with_values("new", "b"), with_values("twice", "a"), with_values("twice", "b")}));
    expect_equal(keys(store, "a"), "");
    expect_equal(keys(store, "b"), "new | twice");
  });
}

BOOST_AUTO_TEST_CASE(an_index_added_late_knows_what_is_stored_already) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Cache store(runtime);
    expect_ok(store.add(with_values("one", "a")));
    expect_ok(store.add_indexers({{"words", words}}));
    expect_equal(keys(store, "a"), "one");
    expect(!store.add_indexers({{"more", words}, {"words", words}}).ok(), "a name is used once");
    expect_equal(store.get_indexers().size(), 1);
  });
}

BOOST_AUTO_TEST_CASE(an_index_function_that_fails_panics_and_changes_nothing) {
  const auto picky = [](const api::ObjectPtr& object) -> api::Result<Values> {
    if (object->metadata.name == "bad") {
      return api::Error{.message = "no good"};
    }
    return Values{object->metadata.name};
  };
  holds_in_every_world([&](runtime::Runtime& runtime) {
    Cache store(runtime, cache::meta_namespace_key, {{"picky", picky}});
    expect_ok(store.add(object("good")));
    expect_panic([&] { (void)store.add(object("bad")); },
                 "no index entry for key \"bad\" on index \"picky\": no good");
    expect_panic([&] { (void)replace(store, {object("bad")}); }, "no good");
    expect_equal(joined(store.list_keys()), "good");
    expect_equal(joined(*store.index_keys("picky", "good")), "good");
    const auto found = store.index("picky", object("bad"));
    expect_equal(found.error().message, "no good");
  });
}

BOOST_AUTO_TEST_CASE(after_any_history_the_index_is_what_a_plain_search_finds) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Cache store = indexed_cache(runtime);
    Model model;
    for (int i = 0; i < 60; ++i) {
      take_random_step(runtime, store, model);
      for (const char value : std::string("abc")) {
        expect_equal(keys(store, std::string(1, value)), model.keys(std::string(1, value)));
      }
    }
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
