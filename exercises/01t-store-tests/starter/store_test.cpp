// Your tests of a store. What it promises is in exercises/01t-store-tests/subject.hpp.
#include <boost/test/unit_test.hpp>

#include "exercises/01t-store-tests/subject.hpp"
#include "exercises/toolkit/objects.hpp"
#include "exercises/toolkit/worlds.hpp"

using namespace watchlab::exercise;

BOOST_AUTO_TEST_CASE(what_was_added_is_found) {
  in_every_world([](watchlab::runtime::Runtime& runtime) {
    const auto store = make_store(runtime);
    store->add(object("default/a", "1"));
    // Is it there now, under its key and in that state? The next line is wrong on purpose.
    expect_equal(text_of(store->get("default/a")), "default/a@2");
  });
}
