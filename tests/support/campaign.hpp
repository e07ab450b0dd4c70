#pragma once

#include <cstddef>

namespace watchlab::tests {

/// How many pieces of a campaign (generated programs, random schedules) this run plays.
struct Campaign {
  std::size_t ordinary;  ///< what the test promises
  std::size_t lengthy;   ///< in the lane --long
};

/// `ordinary`; `lengthy` where WATCHLAB_LONG is set; a fifth of `ordinary`, at least one, where
/// WATCHLAB_BRIEF is: the test lane sets it in sanitized builds, which look for wrong memory, take
/// twenty times as long, and see the same pieces as the other builds from the first one on.
[[nodiscard]] std::size_t pieces_of(Campaign campaign);

}  // namespace watchlab::tests
