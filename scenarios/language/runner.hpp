#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/language/play.hpp"
#include "scenarios/language/scenario.hpp"
#include "sim/kernel/run_result.hpp"
#include "sim/kernel/schedule.hpp"
#include "sim/record/record.hpp"

namespace watchlab::scenarios {

// The same scenario on another transport, and what its clients notice of that.

/// The scenario on that transport. Schedules do not carry over, because the wire has more steps: it
/// is played undisturbed then, without the expectations that are about the stored order, and its
/// hash is another one.
[[nodiscard]] Scenario over(sim::Transport transport, Scenario scenario);

/// The scenario with all its clients on that machine, one of `features::machine_names`. What is
/// true of `over` is true of it where this changes anything.
[[nodiscard]] Scenario on_machine(const std::string& machine, Scenario scenario);

/// The same, where the scenario was drawn for no machine in particular: without failures that a
/// machine has no use for, and with an end of each fault that a streamed list would meet without
/// end.
[[nodiscard]] Scenario playable_on(const std::string& machine, Scenario scenario);

/// The scenario as that schedule was made for it: over the other transport, or with all clients on
/// one machine, when its schedules are those, because a schedule carries the hash of what it
/// belongs to. A text that fits neither, or is no schedule, leaves the scenario as it is: the
/// player says what is wrong.
[[nodiscard]] Scenario as_scheduled(const Scenario& scenario, std::string_view schedule);

/// Whether the scenario can be played on both: it has clients, and does not say which it needs.
[[nodiscard]] bool plays_on_both(const Scenario& scenario);

/// What clients observed differently, a message each, at most one a client and layer: requests
/// with their options, answers and ends, deltas, handler calls, stores, and ends of programs. Times
/// and what happened between different clients are not compared.
[[nodiscard]] std::vector<std::string> differences(const sim::Record& direct,
                                                   const sim::Record& wire);

/// Plays the scenario undisturbed on both transports. What is different, and what one of them broke
/// that the other holds.
[[nodiscard]] std::vector<std::string> compare_transports(const Scenario& scenario);

/// The faults of a record that have not touched anything, as `Played::unfired_faults` has them.
[[nodiscard]] std::vector<std::string> unfired_faults_in(const Scenario& scenario,
                                                         const sim::Record& record);

/// What came of playing a scenario once.
struct Played {
  sim::RunResult result;  ///< with notes and steps
  /// Where the run left the schedule that it was to follow; nothing when it did not.
  std::optional<std::string> divergence;
  /// The faults of the script that have not touched anything, a line each, which begins with the
  /// file and the line; without those that are left to the schedule, and those of a run that ended
  /// before its story.
  std::vector<std::string> unfired_faults = {};
  /// What the story wrote down; nothing when it did not get to its end.
  sim::Record record = {};

  [[nodiscard]] bool held() const { return !result.failure && !divergence; }
};

/// Plays a scenario under the schedule that it runs under by default: its own, or the undisturbed
/// one with the seed of its `explore` block. Plays it twice, unless it fails slowly; two different
/// runs are a failure of kind divergence. Throws `sim::InvalidSchedule` when its own schedule is
/// none.
[[nodiscard]] Played run_scenario(const Scenario& scenario);

/// A schedule for this scenario. Throws `sim::InvalidSchedule`, with a message, for a text that is
/// no schedule of this version, is cut off, or belongs to another scenario.
[[nodiscard]] sim::Schedule schedule_for(const Scenario& scenario, std::string_view text);

/// Plays exactly that schedule; `guided` applies what fits and leaves out the rest.
[[nodiscard]] Played replay_scenario(const Scenario& scenario, const sim::Schedule& schedule,
                                     bool guided);

}  // namespace watchlab::scenarios
