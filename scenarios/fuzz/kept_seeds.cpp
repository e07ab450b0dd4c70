#include "scenarios/fuzz/kept_seeds.hpp"

#include <fmt/format.h>

#include <charconv>
#include <sstream>
#include <stdexcept>

namespace watchlab::scenarios {

std::vector<KeptSeed> kept_seeds(const std::string& text) {
  std::vector<KeptSeed> kept;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string::npos || line[begin] == '#') {
      continue;
    }
    KeptSeed seed;
    const char* const end = line.data() + line.size();
    const auto read = std::from_chars(line.data() + begin, end, seed.seed);
    const std::string rest(read.ptr, end);
    const std::size_t comment = rest.find_first_not_of(" \t");
    const bool has_comment = comment != std::string::npos;
    if (read.ec != std::errc() || (has_comment && rest[comment] != '#')) {
      throw std::invalid_argument(
          fmt::format("line {}: expected a seed, then # and what it found", number));
    }
    if (has_comment) {
      const std::size_t words = rest.find_first_not_of(" \t", comment + 1);
      seed.found = words == std::string::npos ? "" : rest.substr(words);
    }
    kept.push_back(std::move(seed));
  }
  return kept;
}

}  // namespace watchlab::scenarios
