// What most people write first.
#include <boost/test/unit_test.hpp>

#include "exercises/01t-store-tests/subject.hpp"
#include "exercises/toolkit/objects.hpp"
#include "exercises/toolkit/worlds.hpp"

using namespace watchlab::exercise;
using watchlab::runtime::Runtime;

BOOST_AUTO_TEST_CASE(add_and_get) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_store(runtime);
    store->add(object("default/a", "1"));
    expect_equal(text_of(store->get("default/a")), "default/a@1");
    store->add(object("default/a", "2"));
    expect_equal(text_of(store->get("default/a")), "default/a@2");
  });
}

BOOST_AUTO_TEST_CASE(remove_then_get) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_store(runtime);
    store->add(object("default/a", "1"));
    store->add(object("other/a", "1"));
    store->remove(object("default/a", "1"));
    expect(store->get("default/a") == nullptr, "it is gone");
    expect(store->list().size() == 1, "the other one is there");
  });
}
