#include "core/api/object.hpp"

#include <boost/test/unit_test.hpp>

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
}

BOOST_AUTO_TEST_SUITE_END()
