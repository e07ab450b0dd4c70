#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "core/runtime/time.hpp"
#include "sim/kernel/memory.hpp"

namespace watchlab::sim {

class Actor;

/// From this step on every task gets to run now and then: for the last quarter of the steps that a
/// run may take. Nearly every run that ends has ended before, because a decision taken away from
/// the strategy is lost to it.
constexpr std::size_t steps_before_fairness(std::size_t steps_max) {
  return steps_max - steps_max / 4;
}

/// After this many equal turns a loop lets others run, see `Spinning`: in the first run of an
/// exploration, and as a maximum if loops were seen to end by themselves after more.
inline constexpr std::uint32_t kEqualTurns = 2;
inline constexpr std::uint32_t kEqualTurnsMax = 8;

/// What a run may do.
struct SchedulerLimits {
  std::size_t steps_max = 100'000;
  int early_advances_max = 0;  ///< jumps of virtual time while tasks are ready
  Memory memory = Memory::SequentiallyConsistent;
  std::uint32_t equal_turns = kEqualTurns;  ///< of a loop, before it lets others run
  /// For a story. When it fails, its tasks that outlive their starters are leaked, because core's
  /// objects were never meant to be destroyed in that order; a cycle is found only when everything
  /// else has ended.
  bool is_story = false;
  runtime::Duration grace_period = std::chrono::minutes(1);  ///< for tasks that outlive the root
};

/// Sees every step of a run; for records, never for behaviour.
class StepListener {
 public:
  StepListener() = default;
  StepListener(const StepListener&) = delete;
  StepListener& operator=(const StepListener&) = delete;
  virtual ~StepListener() = default;

  /// `actor` is about to perform its pending operation, the `step`-th of the run.
  virtual void stepped(const Actor& actor, std::size_t step) = 0;
};

}  // namespace watchlab::sim
