#include "core/api/object.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <utility>

using namespace watchlab;

BOOST_AUTO_TEST_SUITE(object_test)

BOOST_AUTO_TEST_CASE(a_key_names_the_namespace_if_there_is_one) {
  BOOST_TEST(api::key_of({.name = "a", .namespace_ = "default"}) == "default/a");
  BOOST_TEST(api::key_of({.name = "a-node"}) == "a-node");
}

BOOST_AUTO_TEST_CASE(a_key_can_be_made_without_an_object) {
  BOOST_TEST(api::key_from("default", "a") == "default/a");
  BOOST_TEST(api::key_from("", "a-node") == "a-node");
  const std::string long_name(200, 'n');
  BOOST_TEST(api::key_from("default", long_name) == "default/" + long_name);
  for (std::size_t size = 50; size < 60; ++size) {  // about where the room on the stack ends
    const std::string name(size, 'n');
    BOOST_TEST(api::key_from("default", name) == "default/" + name);
  }
}

BOOST_AUTO_TEST_CASE(a_shared_object_reserves_nothing_and_reads_as_it_did) {
  api::Object object{.kind = "Pod", .metadata = {.name = "a", .labels = {{"app", "web"}}}};
  object.body.reserve(1'000);
  object.body = R"({"data":{"a":"longer than what lies within a string"}})";
  const api::Object before = object;
  const api::ObjectPtr shared = api::share(std::move(object));
  BOOST_TEST((*shared == before));
  BOOST_TEST(shared->body.capacity() < 100U);
}

BOOST_AUTO_TEST_SUITE_END()
