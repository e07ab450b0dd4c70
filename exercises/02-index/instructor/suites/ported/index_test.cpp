// What client-go's own tests of its indices look at (TestGetIndexFuncValues, TestMultiIndexKeys,
// TestThreadSafeStoreDeleteRemovesEmptySetsFromIndex,
// TestThreadSafeStoreAddKeepsNonEmptySetPostDeleteFromIndex,
// TestThreadSafeStoreIndexingFunctionsWithMultipleValues), as far as this store promises it.
#include <boost/test/unit_test.hpp>

#include "exercises/02-index/answers.hpp"
#include "exercises/02-index/subject.hpp"
#include "exercises/toolkit/objects.hpp"
#include "exercises/toolkit/worlds.hpp"

using namespace watchlab::exercise;
using watchlab::runtime::Runtime;

BOOST_AUTO_TEST_CASE(values_of_an_index) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_labelled_store(runtime);
    store->put(object("one", "1", {{"foo", "bar"}}));
    store->put(object("two", "2", {{"foo", "bar"}}));
    store->put(object("tre", "3", {{"foo", "biz"}}));
    expect_equal(answer(store->values("labels")), "bar biz");
  });
}

BOOST_AUTO_TEST_CASE(several_users_on_a_pod) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_labelled_store(runtime);
    store->put(object("one", "1", {{"first", "ernie"}, {"second", "bert"}}));
    store->put(object("two", "2", {{"first", "bert"}, {"second", "oscar"}}));
    store->put(object("tre", "3", {{"first", "ernie"}, {"second", "elmo"}}));
    expect_equal(answer(store->find("labels", "ernie")), "one@1 tre@3");
    expect_equal(answer(store->find("labels", "bert")), "one@1 two@2");
    expect_equal(answer(store->find("labels", "elmo")), "tre@3");
    expect_equal(answer(store->find("labels", "oscar")), "two@2");
    expect_equal(answer(store->find("labels", "ernie2")), "");
    store->remove(object("tre", "3"));
    expect_equal(answer(store->find("labels", "ernie")), "one@1");
    expect_equal(answer(store->find("labels", "elmo")), "");
    store->put(object("two", "4", {{"first", "oscar"}}));
    expect_equal(answer(store->find("labels", "bert")), "one@1");
  });
}

BOOST_AUTO_TEST_CASE(an_empty_set_is_removed) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_labelled_store(runtime);
    store->put(object("delete-me", "1", {{"key", "value"}}));
    store->remove(object("delete-me", "1"));
    expect_equal(answer(store->values("labels")), "");
  });
}

BOOST_AUTO_TEST_CASE(a_set_with_others_is_kept) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_labelled_store(runtime);
    store->put(object("delete-me", "1", {{"key", "value"}}));
    store->put(object("keep-me", "2", {{"key", "value"}}));
    store->remove(object("delete-me", "1"));
    expect_equal(answer(store->keys("labels", "value")), "keep-me");
  });
}
