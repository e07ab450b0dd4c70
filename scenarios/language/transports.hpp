#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenarios/language/scenario.hpp"
#include "sim/record/record.hpp"

/// The same scenario on another transport, and what its clients notice of that.
namespace watchlab::scenarios {

/// The scenario on that transport. Schedules do not carry over, because the wire has more steps: it
/// is played undisturbed then, without the expectations that are about the stored order, and its
/// hash is another one.
[[nodiscard]] Scenario over(sim::Transport transport, Scenario scenario);

/// The scenario as that schedule was made for it: over the other transport when its schedules are
/// those, because a schedule carries the hash of what it belongs to. A text that fits neither, or
/// is no schedule, leaves the scenario as it is: whoever plays it says what is wrong.
[[nodiscard]] Scenario as_scheduled(const Scenario& scenario, std::string_view schedule);

/// Whether the scenario can be played on both: it has clients, and does not say which it needs.
[[nodiscard]] bool plays_on_both(const Scenario& scenario);

/// What clients observed differently, a sentence each, at most one a client and layer: requests
/// with their options, answers and ends, deltas, handler calls, stores, and ends of programs. Times
/// and what happened between different clients are not compared.
[[nodiscard]] std::vector<std::string> differences(const sim::Record& direct,
                                                   const sim::Record& wire);

/// Plays the scenario undisturbed on both transports. What is different, and what one of them broke
/// that the other holds.
[[nodiscard]] std::vector<std::string> compare_transports(const Scenario& scenario);

}  // namespace watchlab::scenarios
