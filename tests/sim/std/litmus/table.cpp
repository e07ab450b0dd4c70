#include "tests/sim/std/litmus/table.hpp"

#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace watchlab::litmus {

std::vector<Row> table() {
  std::ifstream file("tests/sim/std/litmus/table.txt");
  std::vector<Row> rows;
  std::string line;
  while (std::getline(file, line)) {
    if (line.empty() || line[0] == '#') {
      continue;
    }
    if (line[0] != ' ') {
      rows.push_back({.name = line, .program = {}, .sequential = {}, .release_acquire = {}});
      std::getline(file, line);
      rows.back().program = parsed(line);
      continue;
    }
    std::istringstream words(line);
    std::string model;
    words >> model;
    const Outcomes outcomes{std::istream_iterator<std::string>(words), {}};
    if (model == "sc") {
      rows.back().sequential = outcomes;
    } else if (model != "ra") {
      throw std::invalid_argument("table.txt: " + line);
    }
    rows.back().release_acquire = outcomes;
  }
  return rows;
}

}  // namespace watchlab::litmus
