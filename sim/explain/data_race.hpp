#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/explain/witness.hpp"

namespace watchlab::sim {

/// One of the two accesses of a data race, as a row of the run, and what its task held then.
struct RacingAccess {
  WitnessedStep row;  ///< the visible operation that it follows, with what it does to the data
  std::vector<WitnessedOperation> held{};  ///< the operations that took what it held
};

/// A data race in terms of a run: who held what, and what of that would have ordered the two.
struct RaceExplanation {
  std::array<RacingAccess, 2> accesses;  ///< in the order in which they were played
  /// What the first task did behind its access, and the second one then did to the same object
  /// before its own: as they did it, that orders nothing.
  std::vector<std::pair<WitnessedOperation, WitnessedOperation>> between{};

  /// A line for each access and each pair in between, and what would order the accesses.
  [[nodiscard]] std::string to_string(const Witness& witness) const;
};

/// The two accesses as rows of the run; none when it ended otherwise.
[[nodiscard]] std::vector<WitnessedStep> racing_accesses(const Witness& witness);

/// Nothing when the run ended otherwise.
[[nodiscard]] std::optional<RaceExplanation> find_data_race(const Witness& witness);

}  // namespace watchlab::sim
