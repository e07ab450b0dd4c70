#include "sim/explore/strategy_catalogue.hpp"

#include <boost/test/unit_test.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/page_table.hpp"

using namespace watchlab;
using namespace watchlab::sim;

BOOST_AUTO_TEST_SUITE(strategy_catalogue_test)

BOOST_AUTO_TEST_CASE(each_stands_in_the_page_as_its_row_says) {
  std::vector<std::string> rows;
  for (const StrategyEntry& entry : strategy_catalogue()) {
    rows.push_back(tests::table_row({"`" + std::string(entry.name) + "`",
                                     std::string(entry.summary), std::string(entry.good_for)}));
  }
  tests::check_table("docs/explore.md", "| strategy | how it picks | good for |", rows);
}

BOOST_AUTO_TEST_CASE(one_that_is_not_there_is_refused_with_all_names) {
  BOOST_CHECK_EXCEPTION(
      (void)strategy_named("rondom"), std::invalid_argument, [](const auto& refused) {
        const std::string text = refused.what();
        for (const StrategyEntry& entry : strategy_catalogue()) {
          BOOST_TEST((text.find(entry.name) != std::string::npos), text << " lacks " << entry.name);
        }
        return true;
      });
}

BOOST_AUTO_TEST_SUITE_END()
