#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace watchlab::scenarios {

/// A seed whose story once found something, and what.
struct KeptSeed {
  std::uint64_t seed = 0;
  std::string found;
};

/// Reads a file of kept seeds: a number a line, then, after a `#`, what it found; lines without a
/// number are for people. Throws `std::invalid_argument`, with the line, for anything else.
[[nodiscard]] std::vector<KeptSeed> kept_seeds(const std::string& text);

}  // namespace watchlab::scenarios
