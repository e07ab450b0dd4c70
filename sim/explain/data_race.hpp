#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/explain/witness.hpp"

namespace watchlab::sim {

/// One of the two accesses of a data race, as a row of the run, and the locks that its task held.
struct RacingAccess {
  WitnessedStep row;  ///< the visible operation before it, with the access added
  std::vector<WitnessedOperation> held{};  ///< the operations that took the locks
};

/// A data race in a run: who held what, and which of it would have ordered the two accesses.
struct RaceExplanation {
  std::array<RacingAccess, 2> accesses;  ///< in the order in which they were played
  /// What the first task did after its access, and the second task then did to the same object
  /// before its own. As they did it, it orders nothing.
  std::vector<std::pair<WitnessedOperation, WitnessedOperation>> between{};

  /// One line for each access and each pair in between, and what would order the accesses.
  [[nodiscard]] std::string to_string(const Witness& witness) const;
};

/// The two accesses as rows of the run; none if it ended otherwise.
[[nodiscard]] std::vector<WitnessedStep> racing_accesses(const Witness& witness);

/// Nothing if the run ended otherwise.
[[nodiscard]] std::optional<RaceExplanation> find_data_race(const Witness& witness);

}  // namespace watchlab::sim
