// Your tests of indices. Read subject.hpp first, and answers.hpp for short ways to ask. A test may
// ask for what is promised, and for nothing else.
#include <boost/test/unit_test.hpp>

#include "core/runtime/task.hpp"
#include "exercises/02-index/answers.hpp"
#include "exercises/02-index/subject.hpp"
#include "exercises/toolkit/objects.hpp"
#include "exercises/toolkit/worlds.hpp"

using namespace watchlab::exercise;
using watchlab::runtime::Runtime;
using watchlab::runtime::spawn;

// One case to show the form. It fails on correct libraries: fix it, then write more.
BOOST_AUTO_TEST_CASE(an_object_is_found_by_the_value_of_a_label) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_labelled_store(runtime);
    store->put(object("demo", "1", {{"color", "red"}}));
    expect_equal(answer(store->find("labels", "red")), "demo@2");
  });
}
