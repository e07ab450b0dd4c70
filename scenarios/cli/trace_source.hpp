#pragma once

#include <string>

#include "scenarios/language/scenario.hpp"
#include "sim/explain/witness.hpp"
#include "sim/trace/run_trace.hpp"

namespace watchlab::scenarios {

/// The schedule that a command's `--schedule` means for the scenario: that one, or the one of its
/// ordinary run when the argument is "". Throws `sim::InvalidSchedule`.
[[nodiscard]] std::string schedule_or_ordinary(const Scenario& scenario,
                                               const std::string& argument);

/// Plays the scenario under that schedule and writes all down. Throws `sim::InvalidSchedule`, and
/// `std::invalid_argument` when the scenario does not follow it.
[[nodiscard]] sim::Witness witness_scenario(const Scenario& scenario, const std::string& argument);

/// The same as a trace.
[[nodiscard]] sim::RunTrace trace_scenario(const Scenario& scenario, const std::string& argument);

}  // namespace watchlab::scenarios
