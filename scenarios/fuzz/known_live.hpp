#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/language/scenario.hpp"
#include "sim/kernel/run_result.hpp"

namespace watchlab::scenarios {

/// A seed whose story once found something, and what.
struct KeptSeed {
  std::uint64_t seed = 0;
  std::string found;
};

/// Reads a file of kept seeds: a number a line, then, after a `#`, what it found; lines without a
/// number are for people. Throws `std::invalid_argument`, with the line, for anything else.
[[nodiscard]] std::vector<KeptSeed> kept_seeds(const std::string& text);

/// A behaviour of the original that docs/known_live.md lists, as stories meet it.
struct KnownLive {
  std::string_view behaviour;  ///< in a few words
  std::string_view clause;     ///< which it breaks
  std::string_view fix;        ///< the patch of tests/fixes without which it cannot happen
};

/// All of them. What only other behaviours of that page break, no story has met.
[[nodiscard]] std::vector<KnownLive> known_live_catalogue();

/// The fix of the known behaviour that a story's failure shows; "" when it shows something
/// unknown, or that beside it. Plays the story again to look at what happened: that a
/// clause is broken which a known behaviour breaks too excuses nothing.
[[nodiscard]] std::string known_fix_of(const Scenario& scenario, const sim::Failure& failure);

}  // namespace watchlab::scenarios
