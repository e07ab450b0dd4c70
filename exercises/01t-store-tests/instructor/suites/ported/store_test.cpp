// What the original's own store test looks at, in its order: add, get, update, list, replace.
#include <boost/test/unit_test.hpp>
#include <set>
#include <string>

#include "exercises/01t-store-tests/subject.hpp"
#include "exercises/toolkit/objects.hpp"
#include "exercises/toolkit/worlds.hpp"

using namespace watchlab::exercise;
using watchlab::runtime::Runtime;

namespace {

std::set<std::string> listed(const Store& store) {
  std::set<std::string> texts;
  for (const auto& object : store.list()) {
    texts.insert(text_of(object));
  }
  return texts;
}

}  // namespace

BOOST_AUTO_TEST_CASE(add_get_update_list_replace) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_store(runtime);
    store->add(object("ns/foo", "1"));
    expect_equal(text_of(store->get("ns/foo")), "ns/foo@1");
    store->update(object("ns/foo", "2"));
    expect_equal(text_of(store->get("ns/foo")), "ns/foo@2");
    store->remove(object("ns/foo", "2"));
    expect(store->get("ns/foo") == nullptr, "found a deleted object");
    store->add(object("ns/a", "1"));
    store->add(object("ns/b", "1"));
    store->add(object("ns/c", "1"));
    store->add(object("ns/c", "2"));
    expect(listed(*store) == std::set<std::string>{"ns/a@1", "ns/b@1", "ns/c@2"}, "what was added");
    store->replace({object("ns/d", "1"), object("ns/c", "3")});
    expect(listed(*store) == std::set<std::string>{"ns/c@3", "ns/d@1"}, "what was replaced");
  });
}

BOOST_AUTO_TEST_CASE(the_same_name_in_two_namespaces) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_store(runtime);
    store->update(object("one/a", "1"));
    store->update(object("two/a", "1"));
    expect(listed(*store) == std::set<std::string>{"one/a@1", "two/a@1"}, "both are there");
  });
}
