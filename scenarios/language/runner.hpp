#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/language/play.hpp"
#include "scenarios/language/scenario.hpp"
#include "sim/kernel/run_result.hpp"
#include "sim/kernel/schedule.hpp"

namespace watchlab::scenarios {

/// What came of playing a scenario once.
struct Played {
  sim::RunResult result;  ///< with notes and steps
  /// Where the run left the schedule that it was to follow; nothing when it did not.
  std::optional<std::string> divergence;
  /// The faults of the script that have not touched anything, a line each, which begins with the
  /// file and the line; without those that are left to the schedule, and those of a run that ended
  /// before its story.
  std::vector<std::string> unfired_faults = {};

  [[nodiscard]] bool held() const { return !result.failure && !divergence; }
};

/// Plays a scenario under the schedule that it ordinarily runs under: its own, or the undisturbed
/// one with the seed of its `explore` block. Plays it twice; two different runs are a failure of
/// kind divergence. Throws `sim::InvalidSchedule` when its own schedule is none.
[[nodiscard]] Played run_scenario(const Scenario& scenario);

/// A schedule for this scenario. Throws `sim::InvalidSchedule`, with a sentence, for a text that is
/// no schedule of this version, is cut off, or belongs to another scenario.
[[nodiscard]] sim::Schedule schedule_for(const Scenario& scenario, std::string_view text);

/// Plays exactly that schedule; `guided` applies what fits and leaves out the rest.
[[nodiscard]] Played replay_scenario(const Scenario& scenario, const sim::Schedule& schedule,
                                     bool guided);

}  // namespace watchlab::scenarios
