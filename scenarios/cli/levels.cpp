#include "scenarios/cli/levels.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>

#include "scenarios/cli/pasted_line.hpp"
#include "scenarios/cli/scenario_command.hpp"
#include "scenarios/command_line/child_process.hpp"
#include "scenarios/language/plain_text.hpp"
#include "sim/kernel/schedule.hpp"

namespace watchlab::scenarios {
namespace {

std::string folder_of_levels() {
  return (std::filesystem::path(shipped_scenarios()).parent_path() / "exercises/break-it").string();
}

/// Throws `std::invalid_argument` for a name that is no scenario's and nearly that of a level.
void refuse_misspelt(const std::string& name) {
  std::string scenario;
  if (!find_named(name, scenario).empty()) {
    return;
  }
  const std::string nearest = nearest_name(name, level_names(folder_of_levels()));
  if (!nearest.empty()) {
    throw std::invalid_argument(
        describe(name, {{}, "there is no such scenario or level", "a path or a name", nearest}));
  }
}

}  // namespace

std::optional<Level> level_named(const std::string& command, const std::string& name) {
  const std::string path = is_level(name) ? name : find_level(folder_of_levels(), name);
  if (path.empty()) {
    refuse_misspelt(name);
    return std::nullopt;
  }
  Level level = load_level(path);
  if (!level.variant.empty() && variant_played() != level.variant) {
    throw std::invalid_argument(
        fmt::format("the level is about the bug {}, which core as it is has not; "
                    "{} plays it",
                    level.variant, in_a_checkout(command + for_shell({name}))));
  }
  return level;
}

std::string story_of(const Level& level) {
  const auto beside = std::filesystem::path(level.path).parent_path() / level.scenario;
  return std::filesystem::is_regular_file(beside) ? beside.string() : level.scenario;
}

std::string first_schedule(const Scenario& scenario, const std::string& given) {
  sim::Schedule schedule = sim::Schedule::parse(schedule_or_default(scenario, given));
  if (given.empty()) {
    schedule.early_advances_max = static_cast<int>(scenario.explore.early_advances);
  }
  return schedule.to_string();
}

}  // namespace watchlab::scenarios
