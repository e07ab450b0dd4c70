#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/language/scenario.hpp"
#include "sim/kernel/run_result.hpp"

namespace watchlab::scenarios {

/// A seed whose story once found something, and what it found.
struct KeptSeed {
  std::uint64_t seed = 0;
  std::string found;
};

/// Reads a file of kept seeds: one number per line, followed by what it found after a `#`; lines
/// without a number are comments. Throws `std::invalid_argument`, with the line, for anything else.
[[nodiscard]] std::vector<KeptSeed> kept_seeds(const std::string& text);

/// A bug of client-go that docs/known_live.md lists, as stories show it.
struct KnownLive {
  std::string_view behaviour;  ///< in a few words
  std::string_view clause;     ///< which it breaks
  std::string_view fix;        ///< the patch in tests/fixes that prevents it
};

/// All of them. No story has shown what only other bugs on that page break.
[[nodiscard]] std::vector<KnownLive> known_live_catalogue();

/// The fix for the known bug that a story's failure shows; "" if it shows something unknown, alone
/// or in addition. Plays the story again to check what happened: breaking the same clause as a
/// known bug is not enough.
[[nodiscard]] std::string known_fix_of(const Scenario& scenario, const sim::Failure& failure);

}  // namespace watchlab::scenarios
