#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "core/runtime/runtime.hpp"
#include "sim/explain/witness.hpp"

namespace watchlab::sim {

/// The last place in a failing run where a single change makes it pass: two operations on the same
/// object in the other order, or another alternative of one choice. Everything before is the same,
/// and everything after as far as possible.
struct CriticalPair {
  std::size_t step = 0;      ///< an index into `Witness::steps`: where it is decided
  WitnessedOperation first;  ///< what came first in the failing run
  /// What comes first in the passing run; nothing for a choice.
  std::optional<WitnessedOperation> second{};
  std::optional<std::size_t> second_step{};  ///< where the failing run does it; nothing for never
  bool second_waits = false;                 ///< its task waits there first, so it takes no step
  std::string choice{};                      ///< for a choice: what it is about
  std::string taken{};                       ///< the failing alternative
  std::string instead{};                     ///< the passing alternative
  std::string passing_schedule;

  /// The pair in words, with both source lines.
  [[nodiscard]] std::string to_string(const Witness& witness) const;
};

struct PairSearch {
  std::size_t runs_max = 0;
  /// Called before each run. Return false to end the search; may be empty.
  std::function<bool()> keep_going{};
};

/// Searches from the end of the failing run to its start. `objects` is what the witness was
/// recorded with. Returns nothing if no single change makes the run pass: then it fails under most
/// schedules, or under all.
[[nodiscard]] std::optional<CriticalPair> find_critical_pair(
    const Witness& failing, const std::function<void(runtime::Runtime&)>& body, Numbering& objects,
    const PairSearch& search);

}  // namespace watchlab::sim
