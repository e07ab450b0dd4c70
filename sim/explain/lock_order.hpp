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
  std::vector<std::uint32_t> began;    ///< by actor: how many of its steps surely came before
  std::uint32_t position = 0;          ///< among its own task's steps, from 1
};

/// Two tasks take two locks in opposite orders. In the run that was seen it went well.
struct LockInversion {
  NestedLock one;
  NestedLock other;

  /// Both orders in words, with all four source lines.
  [[nodiscard]] std::string to_string(const Witness& witness) const;
};

/// What could deadlock under another schedule, from a run that need not fail: pairs of nested locks
/// in opposite orders by different tasks. Left out are pairs below a common third lock, and pairs
/// of which one surely ends before the other begins, because a task starts or joins the other.
/// Mutexes and write locks only.
[[nodiscard]] std::vector<LockInversion> predict_lock_inversions(const Witness& witness);

/// What a task holds behind that step of the run, by the operations that took it: mutexes and
/// readers-writer locks, for reading, too. Of an attempt to lock (`TryLock`, `GateChange`) whose
/// outcome the run does not show, it is there as well.
[[nodiscard]] std::vector<WitnessedOperation> locks_held(const Witness& witness,
                                                         std::uint32_t actor, std::size_t step);

/// Plays a run in which each of the two tasks, holding its first lock, waits for the other to hold
/// its own. The deadlock between the two that comes of it, or nothing: then something else keeps
/// them apart.
[[nodiscard]] std::optional<Failure> confirm(const LockInversion& inversion, const Witness& witness,
                                             const std::function<void(runtime::Runtime&)>& body);

}  // namespace watchlab::sim
