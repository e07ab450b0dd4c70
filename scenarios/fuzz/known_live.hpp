#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenarios/language/scenario.hpp"
#include "sim/kernel/failure.hpp"

namespace watchlab::scenarios {

/// A behaviour of the original that docs/known_live.md lists, as stories meet it.
struct KnownLive {
  std::string_view behaviour;  ///< in a few words
  std::string_view clause;     ///< which it breaks
  std::string_view mend;       ///< the patch of tests/mends without which it cannot happen
};

/// All of them. What only other behaviours of that page break, no story has met.
[[nodiscard]] std::vector<KnownLive> known_live_catalogue();

/// The mend of the known behaviour that a story's failure shows; "" when it shows something that
/// nobody knows of, or that beside it. Plays the story again to look at what happened: that a
/// clause is broken which a known behaviour breaks too excuses nothing.
[[nodiscard]] std::string known_mend_of(const Scenario& scenario, const sim::Failure& failure);

}  // namespace watchlab::scenarios
