#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <vector>

#include "sim/faults/fault_catalogue.hpp"
#include "sim/faults/fault_effects.hpp"
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

/// What a parameter is when it is left out: "1", "30s", "\"events\"".
std::string standard_text(const FaultParameter& parameter) {
  struct Texts {
    std::string operator()(const std::string& text) const {
      return text.empty() ? "" : "\"" + text + "\"";
    }
    std::string operator()(std::int64_t number) const { return std::to_string(number); }
    std::string operator()(runtime::Duration time) const {
      const auto all = std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
      const bool whole = all % 1000 == 0;
      return whole ? std::to_string(all / 1000) + "s" : std::to_string(all) + "ms";
    }
    std::string operator()(bool yes) const { return yes ? "true" : "false"; }
  };
  return parameter.standard ? std::visit(Texts{}, *parameter.standard) : "";
}

std::string parameters_text(const FaultEntry& entry) {
  std::string text;
  for (const FaultParameter& parameter : entry.parameters) {
    const std::string standard = standard_text(parameter);
    text += text.empty() ? "" : "<br>";
    text += "`" + std::string(parameter.name) + (standard.empty() ? "" : ": " + standard) + "`";
    text += parameter.standard ? " " : " (needed) ";
    text += parameter.doc;
  }
  return text.empty() ? "none" : text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_fault_stands_there_as_its_row_says) {
  std::vector<std::string> of_messages;
  std::vector<std::string> of_bytes;
  for (const FaultEntry& entry : fault_catalogue()) {
    (entry.wire_only ? of_bytes : of_messages)
        .push_back(tests::table_row({"`" + std::string(entry.name) + "`", std::string(entry.doc),
                                     entry.legality == Legality::Legal ? "yes" : "no",
                                     numbers_text(entry), parameters_text(entry)}));
  }
  const std::string cells = " what the world does | legal | plays rows | parameters |";
  tests::check_table("docs/faults.md", "| fault |" + cells, of_messages);
  tests::check_table("docs/faults.md", "| fault of the wire |" + cells, of_bytes);
}

BOOST_AUTO_TEST_CASE(each_answer_that_a_fault_can_give_stands_there) {
  std::ifstream page("docs/faults.md");
  const std::string text(std::istreambuf_iterator<char>(page), {});
  const std::string list = "An `answer` is one of " + tests::as_code(failure_words()) + ".";
  BOOST_TEST((text.find(list) != std::string::npos), list);
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
