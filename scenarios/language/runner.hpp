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

/// The scenario on another transport. Schedules do not carry over, because the wire has more steps.
/// So it is played in the default order, without expectations about the stored order, and with
/// another hash.
[[nodiscard]] Scenario over(sim::Transport transport, Scenario scenario);

/// The scenario with all of its clients on this release profile, one of `features::machine_names`.
/// If that changes anything, the limits of `over` apply.
[[nodiscard]] Scenario on_machine(const std::string& machine, Scenario scenario);

/// The same for a generated scenario that was not made for a particular release profile: without
/// failures that the profile cannot use, and with an end for each fault that would hold up a
/// streamed list forever.
[[nodiscard]] Scenario playable_on(const std::string& machine, Scenario scenario);

/// The scenario for which this schedule was made: on the other transport, or with all clients on
/// one release profile, if the schedule carries that scenario's hash. If the text fits neither, or
/// is not a schedule, returns the scenario unchanged, and the player reports what is wrong.
[[nodiscard]] Scenario as_scheduled(const Scenario& scenario, std::string_view schedule);

/// Whether the scenario can be played on both transports: it has clients, and does not say which
/// transport it needs.
[[nodiscard]] bool plays_on_both(const Scenario& scenario);

/// What clients observed differently, one message each, and at most one per client and layer:
/// requests with their options, answers and ends, deltas, handler calls, stores, and ends of
/// programs. Times, and the order between different clients, are not compared.
[[nodiscard]] std::vector<std::string> differences(const sim::Record& direct,
                                                   const sim::Record& wire);

/// Plays the scenario in the default order on both transports. Returns what differs, and what fails
/// on only one of them.
[[nodiscard]] std::vector<std::string> compare_transports(const Scenario& scenario);

/// The faults in a record that never acted, in the form of `Played::unfired_faults`.
[[nodiscard]] std::vector<std::string> unfired_faults_in(const Scenario& scenario,
                                                         const sim::Record& record);

/// The result of playing a scenario once.
struct Played {
  sim::RunResult result;  ///< with notes and steps
  /// Where the run left the schedule that it should follow; nothing if it did not.
  std::optional<std::string> divergence;
  /// The faults of the script that never acted, one line each, starting with the file and the line.
  /// Without those that are left to the schedule, and those of a run that ended before its story.
  std::vector<std::string> unfired_faults = {};
  /// What the story recorded; nothing if it did not reach its end.
  sim::Record record = {};

  [[nodiscard]] bool held() const { return !result.failure && !divergence; }
};

/// Plays a scenario under its default schedule: its own, or the default order with the seed of its
/// `explore` block. Plays it twice, unless it fails slowly; two different runs are a failure of
/// kind divergence. Throws `sim::InvalidSchedule` if its own schedule is not one.
[[nodiscard]] Played run_scenario(const Scenario& scenario);

/// A schedule for this scenario. Throws `sim::InvalidSchedule`, with a message, for a text that is
/// not a schedule of this version, is cut off, or belongs to another scenario.
[[nodiscard]] sim::Schedule schedule_for(const Scenario& scenario, std::string_view text);

/// Plays exactly this schedule; `guided` applies what fits and skips the rest.
[[nodiscard]] Played replay_scenario(const Scenario& scenario, const sim::Schedule& schedule,
                                     bool guided);

}  // namespace watchlab::scenarios
