// What one writes first: everything goes well, and one thing at a time.
#include <boost/test/unit_test.hpp>

#include "exercises/04-fifo/subject.hpp"
#include "exercises/toolkit/objects.hpp"
#include "exercises/toolkit/worlds.hpp"

using namespace watchlab::exercise;
using watchlab::runtime::Runtime;

BOOST_AUTO_TEST_CASE(first_in_first_out) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime);
    for (const char* name : {"a", "b", "c", "d", "e"}) {
      queue->add(object(name, "1"));
    }
    for (const char* name : {"a", "b", "c", "d", "e"}) {
      expect_equal(queue->pop()->metadata.name, name);
    }
    expect(queue->list().empty(), "all came out");
  });
}

BOOST_AUTO_TEST_CASE(an_update_changes_the_object) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime);
    queue->add(object("a", "1"));
    queue->update(object("a", "2"));
    expect_equal(text_of(queue->pop()), "a@2");
  });
}
