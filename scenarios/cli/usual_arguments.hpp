#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "scenarios/cli/command_line.hpp"
#include "scenarios/language/scenario.hpp"

/// Arguments that several commands take, worded once. Each points at where its value goes.
namespace watchlab::scenarios {

/// Files and folders as they are; anything else by the name of a scenario or a piece of the museum,
/// if there is one of that name.
[[nodiscard]] std::vector<std::string> named_paths(const std::vector<std::string>& names);

/// FILE: one scenario, by path, theme/name or name. Required.
[[nodiscard]] Argument scenario_argument(std::string& name);

/// PATH…: scenario files, or folders of them. Required.
[[nodiscard]] Argument paths_argument(std::vector<std::string>& paths);

/// --schedule: the text of a schedule or @file; required.
[[nodiscard]] Argument schedule_argument(std::string& schedule);

/// --schedule that may be left out; `otherwise` says what is played then, as in "the ordinary one".
[[nodiscard]] Argument optional_schedule_argument(std::string& schedule,
                                                  const std::string& otherwise);

/// --transport: direct, wire or both; "" when it is left out.
[[nodiscard]] Argument transport_argument(std::string& transport);

/// --transport for a command that plays on one of them.
[[nodiscard]] Argument one_transport_argument(std::string& transport);
/// The scenario on the transport of that name; on the one that its file asks for when it is "".
[[nodiscard]] Scenario over_the_named(const std::string& transport, Scenario scenario);

/// --jobs: how many files are played at the same time.
[[nodiscard]] Argument jobs_argument(std::size_t& jobs);

}  // namespace watchlab::scenarios
