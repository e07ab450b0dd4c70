#include "tests/support/page_table.hpp"

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace watchlab::tests {

std::string table_row(const std::vector<std::string>& cells) {
  std::string row = "|";
  for (const std::string& cell : cells) {
    row += " " + cell + " |";
  }
  return row;
}

void check_table(const std::string& page, const std::string& header,
                 const std::vector<std::string>& rows) {
  std::ifstream file(page);
  std::string text{std::istreambuf_iterator(file), {}};
  const std::size_t head = text.find(header + "\n|-");
  BOOST_REQUIRE_MESSAGE(head != std::string::npos, page << " lacks the table " << header);
  const std::size_t begin = text.find('\n', head + header.size() + 1) + 1;
  const std::size_t end = text.find("\n\n", begin - 1) + 1;
  std::string expected;
  for (const std::string& row : rows) {
    expected += row + "\n";
  }
  if (std::getenv("WATCHLAB_REFRESH") != nullptr) {
    std::ofstream(page) << text.replace(begin, end - begin, expected);
    return;
  }
  const std::string found = text.substr(begin, end - begin);
  for (const std::string& row : rows) {
    BOOST_TEST((found.find(row + "\n") != std::string::npos),
               page << " lacks the row (WATCHLAB_REFRESH=1 writes it there)\n"
                    << row);
  }
  BOOST_TEST(found == expected, page << " has other rows, or in another order, than the catalogue");
}

}  // namespace watchlab::tests
