#include "scenarios/cli/scenario_command.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "scenarios/cli/report.hpp"
#include "scenarios/cli/schedule_argument.hpp"
#include "scenarios/language/transports.hpp"

namespace watchlab::scenarios {

int with_scenario(const std::string& command, const std::string& name, Console& console,
                  const std::function<int(const Scenario&)>& work) {
  std::string nearest;
  const std::string path = find_scenario("scenarios", name, nearest);
  if (path.empty()) {
    console.complain(sentence_of(
        name, {{}, "there is no such scenario", "the path or the name of one", nearest}));
    return exit_usage;
  }
  const CatalogueEntry entry{path, load_scenario(path)};
  if (!entry.parsed.scenario) {
    console.complain(problem_text(entry));
    return exit_usage;
  }
  try {
    return work(*entry.parsed.scenario);
  } catch (const std::invalid_argument& refused) {
    console.complain(fmt::format("watchlab {}: {}", command, refused.what()));
    return exit_usage;
  }
}

void refuse_overwriting(const std::string& output, const Scenario& scenario) {
  const std::string problem = overwriting(output, scenario.path);
  if (!problem.empty()) {
    throw std::invalid_argument(problem);
  }
}

Scenario scenario_for(const Scenario& scenario, const std::string& schedule, Console& console) {
  if (schedule.empty()) {
    return scenario;
  }
  Scenario scheduled = as_scheduled(scenario, schedule_text(schedule));
  if (scheduled.hash != scenario.hash) {
    const bool is_wire = scheduled.transport == sim::Transport::Wire;
    console.remark(fmt::format("the schedule was made on the {} transport, and is played there",
                               is_wire ? "wire" : "direct"));
  }
  return scheduled;
}

}  // namespace watchlab::scenarios
