#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "core/runtime/time.hpp"
#include "sim/kernel/memory.hpp"

namespace watchlab::sim {

class Actor;

/// From this step on every task comes to go now and then: for the last quarter of the steps that a
/// run may take. Later than the end of nearly every run that has one, for a decision that is taken
/// from the strategy is lost to it.
constexpr std::size_t steps_before_fairness(std::size_t steps_max) {
  return steps_max - steps_max / 4;
}

/// So many equal turns of a loop let others go, see `Spinning`: in the first run of an exploration,
/// and at most, where loops were seen to end by themselves after more.
inline constexpr std::uint32_t kEqualTurns = 2;
inline constexpr std::uint32_t kEqualTurnsMax = 8;

/// What a run may do.
struct SchedulerLimits {
  std::size_t steps_max = 100'000;
  int early_advances_max = 0;  ///< jumps of virtual time while tasks are ready
  Memory memory = Memory::SequentiallyConsistent;
  std::uint32_t equal_turns = kEqualTurns;  ///< of a loop, before it lets others go
  /// Of a story. Its tasks that outlive their starters are leaked when it fails, as the objects of
  /// core were never meant to go in that order, and a circle in it is found when all else ends.
  bool is_story = false;
  runtime::Duration grace_period = std::chrono::minutes(1);  ///< for tasks that outlive the root
};

/// Notified of every step of a run; for records, never for behaviour.
class StepListener {
 public:
  StepListener() = default;
  StepListener(const StepListener&) = delete;
  StepListener& operator=(const StepListener&) = delete;
  virtual ~StepListener() = default;

  /// `actor` is about to carry out its pending operation, the `step`-th of the run.
  virtual void stepped(const Actor& actor, std::size_t step) = 0;
};

}  // namespace watchlab::sim
