#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/scoreboard/program.hpp"

namespace watchlab::scoreboard {

struct Plan {
  std::string strategy = "portfolio";
  std::uint64_t seed = 1;  ///< of the first trial; the next has the next one
  int trials = 20;
  std::size_t cap = 10'000;  ///< schedules of a trial at most
};

/// What a trial came to.
struct Trial {
  std::size_t schedules = 0;        ///< played, with the one that failed
  std::optional<std::string> kind;  ///< of the failure; none: the bug was missed
  bool exhausted = false;           ///< nothing is left to play
};

/// Searches for the bug of `program` again and again, each time with another seed. dfs and dpor
/// have no chance in them: they search once.
[[nodiscard]] std::vector<Trial> play(const Program& program, const Plan& plan);

/// Whether a search of this strategy is the same with every seed.
[[nodiscard]] bool is_systematic(std::string_view strategy);

/// Whether a failure of this kind is the bug of the program.
[[nodiscard]] bool is_of(const Program& program, std::string_view kind);

}  // namespace watchlab::scoreboard
