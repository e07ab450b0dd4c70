#include "core/port/mutation_cache.hpp"

#include <boost/test/unit_test.hpp>

#include "core/cache/cache.hpp"
#include "core/runtime/task.hpp"
#include "tests/core/cache/queues.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(mutation_cache_test)

namespace {

using namespace std::chrono_literals;
using cache::MutationCache;

std::string found_in(MutationCache& view, const char* index, const char* value) {
  std::vector<std::string> texts;
  const auto objects = view.by_index(index, value);
  expect_ok(objects);
  for (const api::ObjectPtr& each : *objects) {
    texts.push_back(text_of(each));
  }
  return sorted(texts);
}

/// The label `app`, without which an object has no value.
api::Result<std::vector<std::string>> by_app(const api::ObjectPtr& given) {
  const auto found = given->metadata.labels.find("app");
  if (found == given->metadata.labels.end()) {
    return api::Error{.message = "no label app"};
  }
  return std::vector<std::string>{found->second};
}

/// A store by namespace from which an object is gone at the first look and back at the second.
class Racing final : public cache::Cache {
 public:
  explicit Racing(runtime::Runtime& runtime)
      : Cache(runtime, cache::meta_namespace_key, {{"namespace", cache::meta_namespace_index}}) {}

  [[nodiscard]] api::ObjectPtr get_by_key(const std::string& key) const override {
    return ++looks_ == 1 ? nullptr : Cache::get_by_key(key);
  }
  [[nodiscard]] int looks() const { return looks_; }

 private:
  mutable int looks_ = 0;
};

/// A backing store with the index by namespace, and the view on it.
struct Scene {
  explicit Scene(runtime::Runtime& runtime, bool include_adds = false)
      : store(runtime, cache::meta_namespace_key, {{"namespace", cache::meta_namespace_index}}),
        view(runtime, {.backing = &store,
                       .indexer = &store,
                       .time_to_live = 1min,
                       .include_adds = include_adds}) {}

  std::string indexed() { return found_in(view, "namespace", "ns"); }

  cache::Cache store;
  MutationCache view;
};

api::ObjectPtr with_uid(const std::string& key, const std::string& version, const char* uid) {
  api::Object made = *object(key, version);
  made.metadata.uid = uid;
  return std::make_shared<const api::Object>(made);
}

}  // namespace

BOOST_AUTO_TEST_CASE(of_the_watched_and_the_own_state_the_newer_is_shown) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Scene scene(runtime);
    expect_ok(scene.store.add(object("ns/a", "5")));
    scene.view.mutation(object("ns/a", "10"));
    expect_equal(text_of(scene.view.get_by_key("ns/a")), "ns/a@10");
    expect_equal(scene.indexed(), "ns/a@10");
    scene.view.mutation(object("ns/a", "9"));
    expect_equal(text_of(scene.view.get_by_key("ns/a")), "ns/a@10");
    expect_ok(scene.store.update(object("ns/a", "11")));
    expect_equal(text_of(scene.view.get_by_key("ns/a")), "ns/a@11");
    expect_ok(scene.store.update(object("ns/a", "8")));
    expect_equal(text_of(scene.view.get_by_key("ns/a")), "ns/a@8");
  });
}

BOOST_AUTO_TEST_CASE(own_additions_are_shown_only_when_asked_for) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Scene without(runtime, false);
    without.view.mutation(object("ns/new", "3"));
    expect(without.view.get_by_key("ns/new") == nullptr, "not without include_adds");
    expect_equal(without.indexed(), "");
    Scene with(runtime, true);
    with.view.mutation(object("ns/new", "3"));
    with.view.mutation(object("other/new", "3"));
    expect_ok(with.store.add(object("ns/old", "1")));
    expect_equal(text_of(with.view.get_by_key("ns/new")), "ns/new@3");
    expect_equal(with.indexed(), "ns/new@3 | ns/old@1");
    with.view.mutation(object("ns/old", "2"));
    expect_equal(with.indexed(), "ns/new@3 | ns/old@2");
  });
}

BOOST_AUTO_TEST_CASE(an_own_write_is_found_under_its_own_values_although_the_store_has_others) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    cache::Cache store(runtime, cache::meta_namespace_key, {{"app", by_app}});
    MutationCache view(runtime, {.backing = &store, .indexer = &store, .include_adds = true});
    expect_ok(store.add(object("ns/a", "1", {{"app", "x"}})));
    view.mutation(object("ns/a", "2", {{"app", "y"}}));
    expect_equal(found_in(view, "app", "y"), "ns/a@2");
    // The index is the store's, and what it finds is shown in its newer state.
    expect_equal(found_in(view, "app", "x"), "ns/a@2");
  });
}

BOOST_AUTO_TEST_CASE(an_own_write_whose_values_cannot_be_computed_is_left_out) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    cache::Cache store(runtime, cache::meta_namespace_key, {{"app", by_app}});
    MutationCache view(runtime, {.backing = &store, .indexer = &store, .include_adds = true});
    view.mutation(object("ns/a", "2", {{"app", "y"}}));
    view.mutation(object("ns/b", "3"));
    expect_equal(found_in(view, "app", "y"), "ns/a@2");
  });
}

// Mirrors TestMutationCacheByIndexConcurrentDelete (client-go 0.38).
BOOST_AUTO_TEST_CASE(what_vanishes_between_the_index_and_the_store_is_shown_as_it_was_written) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Racing store(runtime);
    MutationCache view(runtime, {.backing = &store, .indexer = &store, .include_adds = true});
    expect_ok(store.add(object("ns/a", "1")));
    view.mutation(object("ns/a", "2"));
    expect_equal(found_in(view, "namespace", "ns"), "ns/a@2");
    expect_equal(static_cast<std::int64_t>(store.looks()), 1);
  });
}

BOOST_AUTO_TEST_CASE(an_own_write_is_forgotten_when_its_time_is_up) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Scene scene(runtime, true);
    scene.view.mutation(object("ns/a", "10"));
    runtime::sleep_for(runtime, 1min);
    expect_equal(text_of(scene.view.get_by_key("ns/a")), "ns/a@10");
    runtime::sleep_for(runtime, 1ns);
    expect(scene.view.get_by_key("ns/a") == nullptr, "its time is up");
  });
}

BOOST_AUTO_TEST_CASE(of_more_than_a_hundred_writes_the_one_longest_unused_goes) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Scene scene(runtime, true);
    for (int i = 0; i < 100; ++i) {
      scene.view.mutation(object("ns/" + std::to_string(i), "1"));
    }
    expect(scene.view.get_by_key("ns/0") != nullptr, "the read makes it used");
    scene.view.mutation(object("ns/100", "1"));
    expect(scene.view.get_by_key("ns/0") != nullptr, "it was used");
    expect(scene.view.get_by_key("ns/1") == nullptr, "it was not");
  });
}

BOOST_AUTO_TEST_CASE(a_look_by_index_leaves_the_order_in_which_own_writes_go) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Scene scene(runtime, true);
    for (int i = 0; i < 100; ++i) {
      scene.view.mutation(object("ns/" + std::to_string(i), "1"));
    }
    (void)scene.indexed();
    scene.view.mutation(object("ns/100", "1"));
    expect(scene.view.get_by_key("ns/0") == nullptr, "it was written first");
    expect(scene.view.get_by_key("ns/99") != nullptr, "it was written last");
  });
}

// Mirrors TestMutationCacheOnAddOrUpdate.
BOOST_AUTO_TEST_CASE(a_state_that_the_informer_brings_takes_the_place_of_an_older_own_one) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Scene scene(runtime, true);
    scene.view.mutation(object("ns/a", "10"));
    scene.view.on_add_or_update(object("ns/a", "9"));
    expect_equal(text_of(scene.view.get_by_key("ns/a")), "ns/a@10");
    scene.view.on_add_or_update(object("ns/a", "10"));
    expect(scene.view.get_by_key("ns/a") == nullptr, "the informer has it");
    scene.view.mutation(object("ns/a", "10"));
    scene.view.on_add_or_update(object("ns/a", "11"));
    expect(scene.view.get_by_key("ns/a") == nullptr, "the informer has a newer one");
    for (const auto& [brought, shown] : std::vector<std::pair<std::string, std::string>>{
             {"1", "ns/a@2"}, {"2", "ns/a@1"}, {"3", "ns/a@1"}}) {
      Scene behind(runtime);  // its store is behind the own write
      behind.view.mutation(object("ns/a", "2"));
      behind.view.on_add_or_update(object("ns/a", brought));
      expect_ok(behind.store.add(object("ns/a", "1")));
      expect_equal(text_of(behind.view.get_by_key("ns/a")), shown);
    }
  });
}

// Mirrors TestMutationCacheOnDelete, …OnDeleteClearsStaleMutation and …UpdateConcurrentDelete: M14.
BOOST_AUTO_TEST_CASE(a_write_does_not_come_back_after_a_deletion_that_was_seen) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Scene scene(runtime, true);
    scene.view.mutation(with_uid("ns/e", "2", "e"));
    expect_equal(scene.indexed(), "ns/e@2");
    scene.view.on_delete(with_uid("ns/e", "1", "e"));
    expect_equal(scene.indexed(), "");
    scene.view.mutation(with_uid("ns/a", "10", "first"));
    scene.view.on_delete(with_uid("ns/a", "11", "first"));
    expect(scene.view.get_by_key("ns/a") == nullptr, "it is deleted");
    scene.view.mutation(with_uid("ns/a", "10", "first"));
    scene.view.mutation(with_uid("ns/a", "12", "first"));
    expect(scene.view.get_by_key("ns/a") == nullptr, "the answer to a write came late");
    expect_equal(scene.indexed(), "");
    scene.view.on_delete(
        cache::TombstonePtr(std::make_shared<const cache::DeletedFinalStateUnknown>(
            cache::DeletedFinalStateUnknown{.key = "ns/b", .object = with_uid("ns/b", "5", "b")})));
    scene.view.mutation(with_uid("ns/b", "5", "b"));
    expect(scene.view.get_by_key("ns/b") == nullptr, "a tombstone is a deletion, too");
    runtime::sleep_for(runtime, 61s);
    scene.view.mutation(with_uid("ns/a", "12", "first"));
    expect_equal(text_of(scene.view.get_by_key("ns/a")), "ns/a@12");
    scene.view.mutation(with_uid("ns/c", "3", "first"));
    scene.view.on_delete(with_uid("ns/c", "3", "second"));
    expect(scene.view.get_by_key("ns/c") == nullptr, "a deletion that is no older");
    scene.view.mutation(with_uid("ns/d", "5", "first"));
    scene.view.on_add_or_update(with_uid("ns/d", "5", "first"));
    scene.view.on_delete(with_uid("ns/d", "5", "first"));
    scene.view.mutation(with_uid("ns/d", "5", "first"));
    expect(scene.view.get_by_key("ns/d") == nullptr, "of one revision from the write to its end");
  });
}

// Mirrors TestMutationCacheOnDelete and …UpdateConcurrentDelete: the store has had the object.
BOOST_AUTO_TEST_CASE(a_deletion_that_the_store_has_seen_takes_the_own_write_away) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const auto left_after = [&](const char* version, const char* uid) {
      Scene scene(runtime, true);
      expect_ok(scene.store.add(with_uid("ns/a", "2", "first")));
      scene.view.mutation(with_uid("ns/a", "3", "first"));
      const api::ObjectPtr deleted = with_uid("ns/a", version, uid);
      expect_ok(scene.store.remove(deleted));
      scene.view.on_delete(deleted);
      return text_of(scene.view.get_by_key("ns/a"));
    };
    expect_equal(left_after("1", "first"), "null");
    expect_equal(left_after("3", "second"), "null");
    expect_equal(left_after("1", "other"), "ns/a@3");

    Scene late(runtime, true);
    expect_ok(late.store.add(with_uid("ns/a", "1", "first")));
    const api::ObjectPtr updated = with_uid("ns/a", "2", "first");
    expect_ok(late.store.update(updated));
    expect_ok(late.store.remove(updated));
    late.view.on_add_or_update(updated);
    late.view.on_delete(updated);
    late.view.mutation(updated);
    expect(late.view.get_by_key("ns/a") == nullptr, "the answer to the write came late");
    late.view.mutation(with_uid("ns/a", "9", "first"));
    expect(late.view.get_by_key("ns/a") == nullptr, "the deletion is still remembered");
  });
}

// Mirrors TestMutationCacheUpdateConcurrentRecreate.
BOOST_AUTO_TEST_CASE(a_successor_of_what_was_deleted_is_shown) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Scene scene(runtime, true);
    scene.view.on_delete(with_uid("ns/a", "11", "first"));
    scene.view.mutation(with_uid("ns/a", "12", "second"));
    expect_equal(text_of(scene.view.get_by_key("ns/a")), "ns/a@12");
    scene.view.on_delete(with_uid("ns/a", "11", "first"));
    expect_equal(text_of(scene.view.get_by_key("ns/a")), "ns/a@12");
    scene.view.on_delete(with_uid("ns/a", "11", "second"));
    expect(scene.view.get_by_key("ns/a") == nullptr, "an older deletion of the same object");
    scene.view.on_add_or_update(with_uid("ns/a", "13", "third"));
    expect_ok(scene.store.add(with_uid("ns/a", "13", "third")));
    expect_equal(text_of(scene.view.get_by_key("ns/a")), "ns/a@13");
  });
}

// Mirrors TestMutationCacheUpdateConcurrentRecreate.
BOOST_AUTO_TEST_CASE(a_late_answer_about_a_predecessor_leaves_nothing_behind) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Scene scene(runtime, true);
    expect_ok(scene.store.add(with_uid("ns/a", "3", "second")));
    scene.view.on_add_or_update(with_uid("ns/a", "2", "first"));
    scene.view.on_delete(with_uid("ns/a", "2", "first"));
    scene.view.on_add_or_update(with_uid("ns/a", "3", "second"));
    scene.view.mutation(with_uid("ns/a", "2", "first"));
    expect_equal(text_of(scene.view.get_by_key("ns/a")), "ns/a@3");
    expect_ok(scene.store.remove(with_uid("ns/a", "4", "second")));
    expect(scene.view.get_by_key("ns/a") == nullptr, "nothing is left of the predecessor");
    scene.view.mutation(with_uid("ns/a", "2", "first"));
    expect_equal(text_of(scene.view.get_by_key("ns/a")), "ns/a@2");  // Nor of its deletion.
  });
}

BOOST_AUTO_TEST_CASE(a_store_that_has_come_past_a_deletion_makes_it_forgotten) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Scene scene(runtime, true);
    scene.view.on_delete(with_uid("ns/a", "11", "first"));
    expect_ok(scene.store.add(with_uid("ns/a", "13", "second")));
    expect_equal(text_of(scene.view.get_by_key("ns/a")), "ns/a@13");
    scene.view.mutation(with_uid("ns/a", "14", "first"));
    expect_equal(text_of(scene.view.get_by_key("ns/a")), "ns/a@14");
  });
}

BOOST_AUTO_TEST_CASE(a_store_behind_a_deletion_shows_what_it_has) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Scene scene(runtime, true);
    expect_ok(scene.store.add(with_uid("ns/a", "5", "first")));
    scene.view.on_delete(with_uid("ns/a", "11", "first"));
    expect_equal(text_of(scene.view.get_by_key("ns/a")), "ns/a@5");
    expect_equal(scene.indexed(), "ns/a@5");
  });
}

BOOST_AUTO_TEST_CASE(a_version_that_is_no_number_panics) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Scene scene(runtime);
    expect_ok(scene.store.add(object("ns/a", "five")));
    scene.view.mutation(object("ns/a", "10"));
    expect_panic([&] { (void)scene.view.get_by_key("ns/a"); }, "\"five\" is no number");
  });
}

BOOST_AUTO_TEST_CASE(without_an_indexer_nothing_can_be_asked_by_index) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const cache::Cache store(runtime);
    MutationCache view(runtime, {.backing = &store});
    expect(!view.by_index("namespace", "ns").ok(), "there is no indexer");
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
