#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "scenarios/language/catalogue.hpp"
#include "tests/support/page_table.hpp"

// docs/scenarios.md against the files: a table for each theme, a row for each story.

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(scenario_page_test)

namespace {

constexpr const char* kPage = "docs/scenarios.md";

/// A story on one line.
std::string on_a_line(std::string story) {
  while (story.ends_with('\n')) {
    story.pop_back();
  }
  std::ranges::replace(story, '\n', ' ');
  return story;
}

/// The rows of each theme's table. The museum has a page of its own.
std::map<std::string, std::vector<std::string>> rows_by_theme() {
  std::map<std::string, std::vector<std::string>> rows;
  for (const scenarios::CatalogueEntry& entry : scenarios::load_catalogue({"scenarios"})) {
    const std::filesystem::path file(entry.path);
    if (file.parent_path().parent_path() == "scenarios") {
      rows[file.parent_path().filename().string()].push_back(table_row(
          {"`" + file.stem().string() + "`", on_a_line(entry.parsed.scenario.value().story)}));
    }
  }
  return rows;
}

/// The title of a theme, what the page says of it, and the head of its table.
std::string head_of(const std::string& theme) {
  constexpr std::string_view kTableHead = "| scenario | story |";
  std::ifstream file(kPage);
  const std::string text{std::istreambuf_iterator(file), {}};
  const std::size_t begin = text.find("\n## " + theme + "\n");
  BOOST_REQUIRE_MESSAGE(begin != std::string::npos, kPage << " has no theme " << theme);
  const std::size_t end = text.find(kTableHead, begin);
  BOOST_REQUIRE_MESSAGE(end != std::string::npos, kPage << " has no table of " << theme);
  return text.substr(begin + 1, end + kTableHead.size() - begin - 1);
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_scenario_stands_there_as_its_story_says) {
  const auto rows = rows_by_theme();
  BOOST_TEST(rows.contains("relist"));
  for (const auto& [theme, of_theme] : rows) {
    check_table(kPage, head_of(theme), of_theme);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
