#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <vector>

#include "sim/faults/fault_catalogue.hpp"
#include "tests/support/page_table.hpp"

// docs/faults.md against the catalogue: what a reader of the page believes is what the world does.

using namespace watchlab;
using namespace watchlab::sim;

BOOST_AUTO_TEST_SUITE(fault_page_test)

namespace {

/// What goes wrong in real clusters, by research and beyond: the rows of the page.
constexpr int kRows = 71;

using Cells = std::vector<std::string>;

/// The rows of the page's tables, by their first cells.
std::map<std::string, Cells> page_rows() {
  std::ifstream page("docs/faults.md");
  std::map<std::string, Cells> rows;
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("| ")) {
      continue;
    }
    Cells cells;
    for (std::size_t place = 2; place < line.size();) {
      const std::size_t end = std::min(line.find(" | ", place), line.size() - 2);
      cells.push_back(line.substr(place, end - place));
      place = end + 3;
    }
    const std::string first = cells.front();
    BOOST_TEST(rows.emplace(first, std::move(cells)).second, first << " stands twice");
  }
  return rows;
}

std::string numbers_text(const FaultEntry& entry) {
  std::ostringstream text;
  for (std::size_t i = 0; i < entry.numbers.size(); ++i) {
    text << (i == 0 ? "" : ", ") << entry.numbers[i];
  }
  return text.str();
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_fault_stands_there_as_its_row_says) {
  std::vector<std::string> of_messages;
  std::vector<std::string> of_bytes;
  for (const FaultEntry& entry : fault_catalogue()) {
    (entry.wire_only ? of_bytes : of_messages)
        .push_back(tests::table_row({"`" + std::string(entry.name) + "`", std::string(entry.doc),
                                     entry.legality == Legality::Legal ? "yes" : "no",
                                     numbers_text(entry)}));
  }
  tests::check_table("docs/faults.md", "| fault | what the world does | legal | plays rows |",
                     of_messages);
  tests::check_table("docs/faults.md",
                     "| fault of the wire | what the world does | legal | plays rows |", of_bytes);
}

BOOST_AUTO_TEST_CASE(each_row_has_a_fault_that_plays_it_or_says_why_there_is_none) {
  std::set<int> played;
  for (const FaultEntry& entry : fault_catalogue()) {
    played.insert(entry.numbers.begin(), entry.numbers.end());
  }
  const std::map<std::string, Cells> rows = page_rows();
  for (int i = 1; i <= kRows; ++i) {
    const auto row = rows.find(std::to_string(i));
    BOOST_REQUIRE_MESSAGE(row != rows.end(), "row " << i);
    BOOST_REQUIRE_MESSAGE(row->second.size() == 4, "row " << i);
    const std::string& why = row->second[3];
    const bool says_why = why.starts_with("no fault: ") || why.starts_with("not here: ");
    BOOST_TEST(says_why != played.contains(i), "row " << i << ": " << why);
  }
  BOOST_TEST(*played.rbegin() <= kRows);
}

BOOST_AUTO_TEST_SUITE_END()
