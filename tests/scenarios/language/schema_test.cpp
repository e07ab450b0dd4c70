#include "scenarios/language/schema.hpp"

#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <iterator>
#include <string>

using namespace watchlab::scenarios;

BOOST_AUTO_TEST_SUITE(schema_test)

BOOST_AUTO_TEST_CASE(the_checked_in_schema_is_the_one_that_the_tables_make) {
  std::ifstream in("docs/scenario.schema.json");
  const std::string checked_in{std::istreambuf_iterator<char>(in), {}};
  BOOST_TEST((checked_in == scenario_schema_text()),
             "docs/scenario.schema.json is old; run: ./watchlab schema -o "
             "docs/scenario.schema.json");
}

BOOST_AUTO_TEST_CASE(the_schema_refuses_unknown_keys_everywhere) {
  const boost::json::value schema = boost::json::parse(scenario_schema_text());
  BOOST_TEST(!schema.at("additionalProperties").as_bool());
  for (const auto& [name, definition] : schema.at("$defs").as_object()) {
    BOOST_TEST(!definition.at("additionalProperties").as_bool(), std::string(name));
  }
}

BOOST_AUTO_TEST_CASE(a_key_is_documented) {
  const boost::json::value schema = boost::json::parse(scenario_schema_text());
  for (const auto& [key, value] : schema.at("properties").as_object()) {
    BOOST_TEST(value.as_object().contains("description"), std::string(key));
  }
}

BOOST_AUTO_TEST_SUITE_END()
