#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "core/runtime/runtime.hpp"
#include "sim/explain/witness.hpp"

namespace watchlab::sim {

/// The last place of a failing run where one thing done differently makes it pass: two operations
/// on the same object the other way round, or another alternative of one choice. All before is the
/// same, and all after as far as it can be.
struct CriticalPair {
  std::size_t step = 0;      ///< an index into `Witness::steps`: where it is decided
  WitnessedOperation first;  ///< what came first in the failing run
  /// What comes first in the passing run; of a choice, nothing.
  std::optional<WitnessedOperation> second{};
  std::optional<std::size_t> second_step{};  ///< where the failing run does it; nothing for never
  std::string choice{};                      ///< of a choice: what it is about
  std::string taken{};                       ///< the alternative that fails
  std::string instead{};                     ///< the one that passes
  std::string passing_schedule;

  /// The pair in words, with both source lines.
  [[nodiscard]] std::string to_string(const Witness& witness) const;
};

/// Looks for it from the end of the failing run to its start, in at most `runs_max` runs. `objects`
/// is what the witness was recorded with. Nothing when no single change makes the run pass: then it
/// fails under most schedules, or under all.
[[nodiscard]] std::optional<CriticalPair> find_critical_pair(
    const Witness& failing, const std::function<void(runtime::Runtime&)>& body, Numbering& objects,
    std::size_t runs_max);

}  // namespace watchlab::sim
