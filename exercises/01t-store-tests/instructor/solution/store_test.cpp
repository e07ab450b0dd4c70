// The reference suite.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "core/runtime/task.hpp"
#include "exercises/01t-store-tests/subject.hpp"
#include "exercises/toolkit/objects.hpp"
#include "exercises/toolkit/worlds.hpp"

using namespace watchlab::exercise;
using watchlab::runtime::Runtime;

namespace {

/// All that the store lists, in an order that does not depend on the store.
std::string contents(const Store& store) {
  std::vector<std::string> texts;
  for (const auto& object : store.list()) {
    texts.push_back(text_of(object));
  }
  std::sort(texts.begin(), texts.end());
  std::string all;
  for (const std::string& text : texts) {
    all += (all.empty() ? "" : " ") + text;
  }
  return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_newest_state_is_kept) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_store(runtime);
    store->add(object("default/a", "1"));
    expect_equal(text_of(store->get("default/a")), "default/a@1");
    store->add(object("default/a", "2"));
    expect_equal(text_of(store->get("default/a")), "default/a@2");
    store->update(object("default/a", "3"));
    expect_equal(text_of(store->get("default/a")), "default/a@3");
  });
}

BOOST_AUTO_TEST_CASE(an_update_may_be_the_first_word_of_an_object) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_store(runtime);
    store->update(object("default/a", "1"));
    expect_equal(contents(*store), "default/a@1");
  });
}

BOOST_AUTO_TEST_CASE(namespaces_keep_objects_apart) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_store(runtime);
    store->add(object("default/a", "1"));
    store->add(object("prod/a", "2"));
    expect_equal(contents(*store), "default/a@1 prod/a@2");
  });
}

BOOST_AUTO_TEST_CASE(a_deletion_leaves_namesakes_alone) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_store(runtime);
    store->add(object("default/a", "1"));
    store->add(object("prod/a", "2"));
    store->remove(object("default/a", "1"));
    expect_equal(contents(*store), "prod/a@2");
  });
}

BOOST_AUTO_TEST_CASE(what_is_removed_is_gone_in_whatever_state) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_store(runtime);
    store->add(object("default/a", "1"));
    store->remove(object("default/a", "2"));
    expect_equal(text_of(store->get("default/a")), "null");
  });
}

BOOST_AUTO_TEST_CASE(what_is_not_there_can_be_removed) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_store(runtime);
    store->remove(object("default/a", "1"));
    expect_equal(contents(*store), "");
  });
}

BOOST_AUTO_TEST_CASE(a_list_is_made_when_it_is_asked_for) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_store(runtime);
    store->add(object("default/a", "1"));
    store->add(object("default/b", "1"));
    expect_equal(contents(*store), "default/a@1 default/b@1");
    store->remove(object("default/a", "1"));
    expect_equal(contents(*store), "default/b@1");
  });
}

BOOST_AUTO_TEST_CASE(a_replacement_is_all_there_is) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_store(runtime);
    store->add(object("default/gone", "1"));
    store->replace({object("default/b", "2")});
    expect_equal(contents(*store), "default/b@2");
  });
}

BOOST_AUTO_TEST_CASE(a_replacement_brings_new_states) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_store(runtime);
    store->add(object("default/a", "1"));
    store->replace({object("default/a", "2")});
    expect_equal(text_of(store->get("default/a")), "default/a@2");
  });
}

BOOST_AUTO_TEST_CASE(an_empty_replacement_empties) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_store(runtime);
    store->add(object("default/a", "1"));
    store->replace({});
    expect_equal(contents(*store), "");
  });
}

BOOST_AUTO_TEST_CASE(nobody_sees_half_a_replacement) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_store(runtime);
    store->replace({object("default/a", "1"), object("default/b", "1")});
    const auto writer = watchlab::runtime::spawn(runtime, "writer", [&] {
      store->replace({object("default/a", "2"), object("default/b", "2")});
    });
    const std::string seen = contents(*store);
    expect(seen == "default/a@1 default/b@1" || seen == "default/a@2 default/b@2",
           "a list is of one moment, not " + seen);
    writer.join();
  });
}

BOOST_AUTO_TEST_CASE(an_object_is_there_while_it_is_updated) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_store(runtime);
    store->add(object("default/a", "1"));
    const auto writer = watchlab::runtime::spawn(runtime, "writer",
                                                 [&] { store->update(object("default/a", "2")); });
    expect(store->get("default/a") != nullptr, "the object is found in one state or the other");
    writer.join();
  });
}

BOOST_AUTO_TEST_CASE(of_two_lists_at_the_same_time_one_is_the_truth) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_store(runtime);
    const auto other =
        watchlab::runtime::spawn(runtime, "other", [&] { store->replace({object("a", "1")}); });
    store->replace({object("b", "1")});
    other.join();
    expect_equal(store->list().size(), 1);
  });
}

BOOST_AUTO_TEST_CASE(two_changes_at_the_same_time_both_count) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_store(runtime);
    store->add(object("a", "1"));
    const auto other =
        watchlab::runtime::spawn(runtime, "other", [&] { store->remove(object("a", "1")); });
    store->add(object("b", "1"));
    other.join();
    expect(store->get("a") == nullptr, "it was removed");
    expect(store->get("b") != nullptr, "it was added");
  });
}

BOOST_AUTO_TEST_CASE(only_the_exact_key_finds_an_object) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_store(runtime);
    store->add(object("blue/demo", "1"));
    for (const char* key : {"demo", "blue", "blue/dem", "green/demo", "a"}) {
      expect(store->get(key) == nullptr, std::string("nothing stands under ") + key);
    }
  });
}

BOOST_AUTO_TEST_CASE(an_object_of_an_equal_or_older_version_is_news_too) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_store(runtime);
    store->add(object("demo", "9", {{"color", "red"}}));
    store->update(object("demo", "9", {{"color", "blue"}}));
    expect_equal(store->get("demo")->metadata.labels.at("color"), "blue");
    store->update(object("demo", "8"));
    expect_equal(text_of(store->get("demo")), "demo@8");
  });
}
