#include "core/cache/resource_event_handler.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/core/cache/fake_source.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(resource_event_handler_test)

namespace {

/// A filter for objects with the label in=yes, and for tombstones of any sort.
bool is_in(const cache::Item& item) {
  if (cache::is_tombstone(item)) {
    return true;
  }
  return cache::object_of(item)->metadata.labels.contains("in");
}

struct Filtered {
  std::shared_ptr<MinutesHandler> handler = std::make_shared<MinutesHandler>();
  cache::FilteringResourceEventHandler filter{is_in, handler};
  api::ObjectPtr in_1 = object("a", "1", {{"in", "yes"}});
  api::ObjectPtr in_2 = object("a", "2", {{"in", "yes"}});
  api::ObjectPtr out_1 = object("a", "1");
  api::ObjectPtr out_2 = object("a", "2");
};

}  // namespace

// Mirrors TestFilteringResourceEventHandler's table, row by row.
BOOST_AUTO_TEST_CASE(an_update_becomes_what_the_filter_makes_of_its_two_sides) {
  Filtered stage;
  stage.filter.on_update(stage.in_1, stage.in_2);
  BOOST_TEST(stage.handler->minutes() == "update a@1 a@2");
  stage.handler->clear();
  stage.filter.on_update(stage.out_1, stage.in_2);
  BOOST_TEST(stage.handler->minutes() == "add a@2");
  stage.handler->clear();
  stage.filter.on_update(stage.in_1, stage.out_2);
  BOOST_TEST(stage.handler->minutes() == "delete a@1");
  stage.handler->clear();
  stage.filter.on_update(stage.out_1, stage.out_2);
  BOOST_TEST(stage.handler->minutes() == "");
}

BOOST_AUTO_TEST_CASE(adds_and_deletes_pass_or_not) {
  Filtered stage;
  stage.filter.on_add(stage.out_1, true);
  stage.filter.on_delete(cache::Item(stage.out_1));
  BOOST_TEST(stage.handler->minutes() == "");
  stage.filter.on_add(stage.in_1, true);
  stage.filter.on_add(stage.in_1, false);
  stage.filter.on_delete(cache::Item(stage.in_1));
  BOOST_TEST(stage.handler->minutes() == "initial add a@1, add a@1, delete a@1");
}

BOOST_AUTO_TEST_CASE(the_filter_gets_the_tombstone_itself) {
  Filtered stage;
  stage.filter.on_delete(tombstone("a", stage.out_1));
  BOOST_TEST(stage.handler->minutes() == "delete gone(a@1)");
}

// Mirrors TestTypedResourceEventHandlerDetailedFuncs.
BOOST_AUTO_TEST_CASE(each_function_that_is_given_gets_its_objects) {
  std::string calls;
  const auto handler = cache::make_handler(
      {.add =
           [&](const api::ObjectPtr& object, bool is_in_initial_list) {
             calls += (is_in_initial_list ? "initial add " : "add ") + text_of(object) + ", ";
           },
       .update =
           [&](const api::ObjectPtr& before, const api::ObjectPtr& after) {
             calls += "update " + text_of(before) + " " + text_of(after) + ", ";
           },
       .remove =
           [&](const cache::Item& item) {
             calls += "delete " + *cache::deletion_handling_meta_namespace_key(item) + " " +
                      text_of(item) + ", ";
           }});
  handler->on_add(object("a", "1"), true);
  handler->on_add(object("b", "2"), false);
  handler->on_update(object("a", "1"), object("a", "3"));
  handler->on_delete(cache::Item(object("b", "4")));
  handler->on_delete(tombstone("ns/a", object("a", "3")));
  handler->on_delete(tombstone("ns/c"));
  BOOST_TEST(calls ==
             "initial add a@1, add b@2, update a@1 a@3, delete b b@4, delete ns/a gone(ns/a: a@3), "
             "delete ns/c gone(null), ");
}

BOOST_AUTO_TEST_CASE(functions_that_are_left_out_are_not_called) {
  const auto handler = cache::make_handler({});
  const api::ObjectPtr any = object("a");
  BOOST_CHECK_NO_THROW(handler->on_add(any, true));
  BOOST_CHECK_NO_THROW(handler->on_update(any, any));
  BOOST_CHECK_NO_THROW(handler->on_delete(cache::Item(any)));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
