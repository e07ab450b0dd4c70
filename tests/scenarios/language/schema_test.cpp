#include "scenarios/language/schema.hpp"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/language/parse.hpp"
#include "sim/story/client_kinds.hpp"
#include "sim/story/options.hpp"
#include "sim/story/reconciler.hpp"

using namespace watchlab::scenarios;

BOOST_AUTO_TEST_SUITE(schema_test)

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

BOOST_AUTO_TEST_CASE(every_reconciler_is_a_row_of_the_page_and_of_the_schema) {
  std::ifstream in("docs/scenario_language.md");
  const std::string page{std::istreambuf_iterator<char>(in), {}};
  const std::string schema = scenario_schema_text();
  std::size_t rows = 0;
  for (const watchlab::sim::ReconcilerEntry& entry : watchlab::sim::reconciler_catalogue()) {
    const std::string row = fmt::format("| `{}` | {} |", entry.name, entry.doc);
    BOOST_TEST((page.find(row) != std::string::npos), row);
    BOOST_TEST((schema.find(fmt::format("{}: {}.", entry.name, entry.doc)) != std::string::npos),
               entry.name);
    ++rows;
  }
  BOOST_TEST(rows > 15U);
}

/// The table of what is recorded against what a file may expect.
BOOST_AUTO_TEST_CASE(the_page_says_what_is_recorded_of_each_kind_of_client) {
  std::ifstream in("docs/scenario_language.md");
  const std::string page{std::istreambuf_iterator<char>(in), {}};
  const std::vector<std::string> layers{"requests", "served", "deltas", "handler",
                                        "store",    "ended",  "notes"};
  for (const auto& traits : watchlab::sim::client_kinds()) {
    const std::string_view kind = traits.name;
    std::string row = fmt::format("\n| `{}` |", kind);
    for (const std::string& layer : layers) {
      const std::string text = fmt::format(
          "apiVersion: watchlab/v1\nname: a\nstory: s\nclients: [{{name: x, kind: {}}}]\nexpect: "
          "[{{{}: {}}}]\n",
          kind, layer, layer == "ended" ? "running" : "{never: []}");
      row += parse_scenario(text).scenario ? " yes |" : " |";
    }
    BOOST_TEST((page.find(row + "\n") != std::string::npos), row);
  }
}

BOOST_AUTO_TEST_SUITE_END()
