#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/runtime/runtime.hpp"
#include "sim/explain/witness.hpp"

namespace watchlab::sim {

/// A task took a lock while it held another.
struct NestedLock {
  WitnessedOperation outer;
  WitnessedOperation inner;
  std::vector<std::uint64_t> gates{};  ///< the other locks that it held
  std::vector<std::uint32_t> began;    ///< by actor: how many of its steps certainly came before
  std::uint32_t position = 0;          ///< number within its task's steps, from 1
};

/// Two tasks take two locks in opposite orders. In the observed run nothing went wrong.
struct LockInversion {
  NestedLock one;
  NestedLock other;

  /// Both orders in words, with all four source lines.
  [[nodiscard]] std::string to_string(const Witness& witness) const;
};

/// What could deadlock under another schedule, from a run that need not fail: pairs of nested locks
/// taken in opposite orders by different tasks. Skips pairs under a common third lock, and pairs of
/// which one certainly ends before the other starts, because a task starts or joins the other.
/// Mutexes and write locks only.
[[nodiscard]] std::vector<LockInversion> predict_lock_inversions(const Witness& witness);

/// The locks that a task holds after this step of the run, as the operations that took them:
/// mutexes and readers-writer locks, including read locks. Includes attempts to lock (`TryLock`,
/// `GateChange`) whose outcome the run does not show.
[[nodiscard]] std::vector<WitnessedOperation> locks_held(const Witness& witness,
                                                         std::uint32_t actor, std::size_t step);

/// Plays a run in which each of the two tasks, holding its first lock, waits until the other holds
/// its own. Returns the resulting deadlock between the two, or nothing if something else keeps them
/// apart.
[[nodiscard]] std::optional<Failure> confirm(const LockInversion& inversion, const Witness& witness,
                                             const std::function<void(runtime::Runtime&)>& body);

}  // namespace watchlab::sim
