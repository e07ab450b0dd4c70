// The visible tests of your store.
#include <boost/test/unit_test.hpp>
#include <string>

#include "core/runtime/task.hpp"
#include "exercises/01-store/subject.hpp"
#include "exercises/toolkit/objects.hpp"
#include "exercises/toolkit/worlds.hpp"

using namespace watchlab::exercise;
using watchlab::runtime::Runtime;
using watchlab::runtime::spawn;

BOOST_AUTO_TEST_CASE(a_key_is_namespace_and_name) {
  expect_equal(key_of(object("default/demo")), "default/demo");
  expect_equal(key_of(object("demo")), "demo");
}

BOOST_AUTO_TEST_CASE(what_is_put_is_found) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_store(runtime);
    store->put(object("default/demo", "1"));
    expect_equal(text_of(store->get("default/demo")), "default/demo@1");
    expect(store->get("default/other") == nullptr, "nothing else was put");
  });
}

BOOST_AUTO_TEST_CASE(the_last_state_stays) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_store(runtime);
    store->put(object("demo", "1"));
    store->put(object("demo", "2"));
    expect_equal(text_of(store->get("demo")), "demo@2");
    expect_equal(store->list().size(), 1);
  });
}

BOOST_AUTO_TEST_CASE(what_is_removed_is_gone) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_store(runtime);
    store->put(object("demo", "1"));
    store->put(object("demo-2", "2"));
    store->remove(object("demo", "7"));
    expect(store->get("demo") == nullptr, "it was removed");
    expect_equal(store->list().size(), 1);
  });
}

BOOST_AUTO_TEST_CASE(removing_what_is_not_there_does_nothing) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_store(runtime);
    store->put(object("b", "1"));
    store->remove(object("a", "1"));
    expect_equal(store->list().size(), 1);
  });
}

BOOST_AUTO_TEST_CASE(a_list_replaces_everything) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_store(runtime);
    store->put(object("old", "1"));
    store->put(object("kept", "2"));
    store->replace({object("kept", "3"), object("new", "4")});
    expect(store->get("old") == nullptr, "the list does not have it");
    expect_equal(text_of(store->get("kept")), "kept@3");
    expect_equal(text_of(store->get("new")), "new@4");
  });
}

BOOST_AUTO_TEST_CASE(two_tasks_put_at_the_same_time) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_store(runtime);
    const auto other = spawn(runtime, "other", [&] { store->put(object("a", "1")); });
    store->put(object("b", "1"));
    other.join();
    expect_equal(store->list().size(), 2);
  });
}
