#pragma once

#include <optional>
#include <string>

#include "scenarios/language/scenario.hpp"
#include "scenarios/report/level.hpp"

/// What the commands that play levels share: which one is meant, and where it begins.
namespace watchlab::scenarios {

/// The level of that path, or of that name among those beside the shipped scenarios; nothing when a
/// scenario may be meant. Throws `std::invalid_argument` where its file is wrong, where its bug is
/// not in core as it is here, and for a name that is nearly that of a level and no scenario's.
/// `command` is the one that plays it.
[[nodiscard]] std::optional<Level> level_named(const std::string& command, const std::string& name);

/// The story of a level, which may stand beside it.
[[nodiscard]] std::string story_of(const Level& level);

/// The schedule that a player begins with. Where exploring the scenario may let time pass early, so
/// may who plays it, which is no decision of its default run.
[[nodiscard]] std::string first_schedule(const Scenario& scenario, const std::string& given);

}  // namespace watchlab::scenarios
