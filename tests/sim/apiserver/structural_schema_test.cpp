#include "sim/apiserver/structural_schema.hpp"

#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>
#include <string>

#include "sim/apiserver/json_patch.hpp"

using namespace watchlab::sim;

namespace json = boost::json;

BOOST_AUTO_TEST_SUITE(structural_schema_test)

/// 20,000 elements would get 20 MB.
BOOST_AUTO_TEST_CASE(defaults_are_added_up_to_the_size_that_no_object_may_have) {
  const json::object text{{"type", "string"}, {"default", std::string(1'000, 'x')}};
  const json::object element{{"properties", {{"text", text}}}};
  const json::object schema{{"properties", {{"list", {{"items", element}}}}}};
  json::object object{{"list", json::array(20'000, json::object())}};
  add_defaults(object, schema);
  const std::size_t size = json::serialize(object).size();
  BOOST_TEST(size > kPatchedMax);
  BOOST_TEST(size < kPatchedMax + kPatchedMax / 2);
}

/// Whatever their paths are.
BOOST_AUTO_TEST_CASE(of_many_unknown_fields_the_first_are_named) {
  const std::string long_name(10'000, 'n');
  const json::object none{{"properties", json::object()}};
  const json::object schema{{"properties", {{long_name, {{"items", none}}}}}};
  json::array elements(1'000, json::object{{"unknown", 1}});
  json::object object{{long_name, std::move(elements)}};
  const std::vector<std::string> gone = prune(object, schema);
  BOOST_TEST(gone.size() == 7U);
  BOOST_TEST(gone.back() == long_name + "[6].unknown");
  BOOST_TEST(json::serialize(object).find("unknown") == std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
