// The hidden tests: what the visible ones leave open.
#include <boost/test/unit_test.hpp>
#include <string>

#include "core/runtime/task.hpp"
#include "exercises/01-store/subject.hpp"
#include "exercises/toolkit/objects.hpp"
#include "exercises/toolkit/worlds.hpp"

using namespace watchlab::exercise;
using watchlab::runtime::Runtime;
using watchlab::runtime::spawn;

BOOST_AUTO_TEST_CASE(one_name_in_two_namespaces_is_two_objects) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_store(runtime);
    store->put(object("blue/demo", "1"));
    store->put(object("green/demo", "2"));
    expect_equal(store->list().size(), 2);
    expect_equal(text_of(store->get("blue/demo")), "blue/demo@1");
  });
}

BOOST_AUTO_TEST_CASE(of_two_in_a_list_the_later_stays) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_store(runtime);
    store->replace({object("demo", "1"), object("demo", "2")});
    expect_equal(text_of(store->get("demo")), "demo@2");
    expect_equal(store->list().size(), 1);
  });
}

BOOST_AUTO_TEST_CASE(versions_are_not_compared) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_store(runtime);
    store->put(object("demo", "10"));
    store->put(object("demo", "9"));
    expect_equal(text_of(store->get("demo")), "demo@9");
  });
}

BOOST_AUTO_TEST_CASE(an_empty_list_empties_the_store) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_store(runtime);
    store->put(object("demo", "1"));
    store->replace({});
    expect(store->list().empty(), "the list is the whole truth");
  });
}

BOOST_AUTO_TEST_CASE(what_was_replaced_can_come_back) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_store(runtime);
    store->put(object("demo", "1"));
    store->replace({});
    store->put(object("demo", "2"));
    expect_equal(text_of(store->get("demo")), "demo@2");
  });
}

BOOST_AUTO_TEST_CASE(a_list_is_a_copy) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_store(runtime);
    store->put(object("demo", "1"));
    const auto before = store->list();
    store->put(object("demo", "2"));
    store->put(object("more", "3"));
    expect_equal(before.size(), 1);
    expect_equal(text_of(before.front()), "demo@1");
  });
}

BOOST_AUTO_TEST_CASE(nobody_sees_a_part_of_a_replace) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_store(runtime);
    store->replace({object("a", "1"), object("b", "1")});
    const auto writer = spawn(runtime, "writer", [&] {
      store->replace({object("a", "2"), object("b", "2")});
    });
    std::string versions;
    for (const auto& each : store->list()) {
      versions += each->metadata.resource_version;
    }
    expect(versions == "11" || versions == "22", "a list is of one moment, not " + versions);
    expect(store->get("a") != nullptr, "a is in both lists");
    writer.join();
  });
}

BOOST_AUTO_TEST_CASE(readers_and_writers_come_to_an_end) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_store(runtime);
    store->put(object("a", "1"));
    const auto writer = spawn(runtime, "writer", [&] { store->remove(object("b", "1")); });
    const auto reader = spawn(runtime, "reader", [&] { (void)store->get("a"); });
    expect_equal(store->list().size(), 1);
    writer.join();
    reader.join();
  });
}

// Each list is the whole truth: whichever comes last, nothing of the other is left.
BOOST_AUTO_TEST_CASE(of_two_lists_at_the_same_time_one_is_the_truth) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_store(runtime);
    const auto other = spawn(runtime, "other", [&] { store->replace({object("a", "1")}); });
    store->replace({object("b", "1")});
    other.join();
    expect_equal(store->list().size(), 1);
  });
}

BOOST_AUTO_TEST_CASE(a_put_brings_nothing_back_that_a_list_left_out) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_store(runtime);
    store->put(object("old", "1"));
    const auto other = spawn(runtime, "other", [&] { store->replace({object("a", "1")}); });
    store->put(object("b", "1"));
    other.join();
    expect(store->get("old") == nullptr, "no list has it");
    expect_equal(text_of(store->get("a")), "a@1");
  });
}

BOOST_AUTO_TEST_CASE(a_removal_and_a_put_do_not_disturb_each_other) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_store(runtime);
    store->put(object("a", "1"));
    const auto other = spawn(runtime, "other", [&] { store->remove(object("a", "1")); });
    store->put(object("b", "1"));
    other.join();
    expect(store->get("a") == nullptr, "it was removed");
    expect_equal(text_of(store->get("b")), "b@1");
  });
}

BOOST_AUTO_TEST_CASE(only_the_exact_key_finds_an_object) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_store(runtime);
    store->put(object("blue/demo", "1"));
    for (const char* key : {"demo", "blue", "blue/dem", "blue/demo-2", "green/demo", "", "a"}) {
      expect(store->get(key) == nullptr, std::string("nothing stands under ") + key);
    }
  });
}

BOOST_AUTO_TEST_CASE(a_removal_leaves_the_namesake) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_store(runtime);
    store->put(object("blue/demo", "1"));
    store->put(object("green/demo", "1"));
    store->remove(object("blue/demo", "1"));
    expect_equal(text_of(store->get("green/demo")), "green/demo@1");
    expect_equal(store->list().size(), 1);
  });
}

// Not even equal ones: the version of an object says nothing to the store.
BOOST_AUTO_TEST_CASE(an_equal_version_is_news_all_the_same) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_store(runtime);
    const auto color = [&] { return store->get("demo")->metadata.labels.at("color"); };
    store->put(object("demo", "1", {{"color", "red"}}));
    store->put(object("demo", "1", {{"color", "blue"}}));
    expect_equal(color(), "blue");
    store->replace({object("demo", "1", {{"color", "green"}})});
    expect_equal(color(), "green");
  });
}

BOOST_AUTO_TEST_CASE(however_much_is_stored_nothing_is_lost) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_store(runtime);
    for (int i = 0; i < 40; ++i) {
      store->put(object("a" + std::to_string(i), "1"));
    }
    expect_equal(store->list().size(), 40);
  });
}
