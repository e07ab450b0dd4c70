#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sim/kernel/memory.hpp"
#include "sim/kernel/scheduler_limits.hpp"
#include "sim/kernel/strategy.hpp"

namespace watchlab::sim {

/// A decision that differs from `fifo`, as the scheduler records it.
struct Deviation {
  const Actor* at = nullptr;    ///< who was running at the decision
  const Actor* next = nullptr;  ///< who went next, for ChoiceKind::Actor
  std::uint32_t ordinal = 0;    ///< see Choice::ordinal
  std::uint32_t index = 0;      ///< the chosen alternative, for every other kind
  ChoiceKind kind = ChoiceKind::Actor;
  bool preempts = false;  ///< whether `at` could have continued
};

/// The same, independent of the run that it came from: actors are named by their identity's path.
struct ScheduledDeviation {
  bool is_switch = true;  ///< whether it decides who goes next
  std::string at;
  std::uint32_t ordinal = 0;
  std::string next;
  std::uint32_t index = 0;

  bool operator==(const ScheduledDeviation&) const = default;
};

/// Thrown for a text that is not a schedule of this version, or not of this scenario. The message
/// says why in one sentence.
class InvalidSchedule : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// Everything that was decided in one run: the seed of its random streams, and how it deviates from
/// `fifo`. As text, on one line and safe in a shell:
///
///     w1:SCENARIO:SEED:PATHS:DEVIATIONS:CHECK
///     w1:0:1:main/consumer,main/producer:0.5-1,1.7=2:5d2f90aa
///
/// w1 is the version; SCENARIO and SEED are hexadecimal; SEED continues with `+aN` when time may
/// jump early N times, with `+ra` when memory is weak, with `+tN` when a loop looks N times
/// before it lets others go, and with `+sN` when the step limit is not the default; PATHS lists the
/// actors; `0.5-1` reads "when actor 0 had published its 5th operation, actor 1 went next", `1.7=2`
/// "actor 1's 7th other choice took alternative 2"; CHECK is a checksum of all before it.
struct Schedule {
  static constexpr std::size_t kStepsMax = 100'000;

  std::uint64_t scenario = 0;  ///< the hash of the scenario it belongs to; 0 for a C++ body
  std::uint64_t seed = 1;
  int early_advances_max = 0;
  Memory memory = Memory::SequentiallyConsistent;
  std::uint32_t equal_turns = kEqualTurns;
  std::size_t steps_max = kStepsMax;
  std::vector<ScheduledDeviation> deviations;

  [[nodiscard]] std::string to_string() const;
  /// Throws `InvalidSchedule`.
  [[nodiscard]] static Schedule parse(std::string_view text);

  bool operator==(const Schedule&) const = default;
};

/// Names the actors of recorded deviations. Call it before the next run starts.
[[nodiscard]] std::vector<ScheduledDeviation> portable(const std::vector<Deviation>& deviations);

}  // namespace watchlab::sim
