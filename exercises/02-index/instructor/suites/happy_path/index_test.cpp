// What one writes first: everything goes well, and one thing at a time.
#include <boost/test/unit_test.hpp>

#include "exercises/02-index/answers.hpp"
#include "exercises/02-index/subject.hpp"
#include "exercises/toolkit/objects.hpp"
#include "exercises/toolkit/worlds.hpp"

using namespace watchlab::exercise;
using watchlab::runtime::Runtime;

BOOST_AUTO_TEST_CASE(objects_are_found_by_color) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_labelled_store(runtime);
    store->put(object("a", "1", {{"color", "red"}}));
    store->put(object("b", "2", {{"color", "blue"}}));
    expect_equal(answer(store->find("labels", "red")), "a@1");
    store->put(object("a", "3", {{"color", "blue"}}));
    expect_equal(answer(store->find("labels", "blue")), "a@3 b@2");
    expect_equal(answer(store->find("labels", "red")), "");
  });
}

BOOST_AUTO_TEST_CASE(a_list_replaces_all) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_labelled_store(runtime);
    store->put(object("a", "1", {{"color", "red"}}));
    store->replace({object("b", "2", {{"color", "blue"}})});
    expect(store->get("a") == nullptr, "a is gone");
    expect_equal(answer(store->find("labels", "blue")), "b@2");
  });
}
