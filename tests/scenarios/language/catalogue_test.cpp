#include "scenarios/language/catalogue.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <string>

using namespace watchlab::scenarios;

BOOST_AUTO_TEST_SUITE(catalogue_test)

BOOST_AUTO_TEST_CASE(every_shipped_scenario_is_valid) {
  const std::vector<CatalogueEntry> entries = load_catalogue({"scenarios"});
  BOOST_TEST(entries.size() >= 13U);
  for (const CatalogueEntry& entry : entries) {
    BOOST_TEST(entry.parsed.scenario.has_value(), entry.path);
  }
}

BOOST_AUTO_TEST_CASE(every_shipped_scenario_expects_requests) {
  for (const CatalogueEntry& entry : load_catalogue({"scenarios"})) {
    if (entry.path.starts_with("scenarios/museum/")) {
      continue;  // a piece expects what its bug breaks
    }
    if (entry.path.starts_with("scenarios/releases/")) {
      continue;  // what releases have in common; what they request differs
    }
    const Scenario& scenario = entry.parsed.scenario.value();
    const auto& expectations = scenario.expectations;
    const auto asks = [](const auto& each) { return each.layer.index() == 0; };
    const bool has_clients = scenario.program.empty();  // a program expects by itself
    BOOST_TEST((!has_clients || std::any_of(expectations.begin(), expectations.end(), asks)),
               entry.path);
  }
}

BOOST_AUTO_TEST_CASE(files_come_in_alphabetical_order) {
  const std::vector<std::string> files = scenario_files({"scenarios"});
  BOOST_TEST(std::is_sorted(files.begin(), files.end()));
}

BOOST_AUTO_TEST_CASE(a_scenario_is_found_by_name_theme_and_path) {
  const std::string path = "scenarios/relist/missed_delete.yaml";
  std::string nearest;
  BOOST_TEST(find_scenario("scenarios", "missed_delete", nearest) == path);
  BOOST_TEST(find_scenario("scenarios", "relist/missed_delete", nearest) == path);
  BOOST_TEST(find_scenario("scenarios", path, nearest) == path);
}

BOOST_AUTO_TEST_CASE(a_misspelt_name_has_a_nearest_one) {
  std::string nearest;
  BOOST_TEST(find_scenario("scenarios", "mised_delete", nearest) == "");
  BOOST_TEST(nearest == "missed_delete");
}

BOOST_AUTO_TEST_SUITE_END()
