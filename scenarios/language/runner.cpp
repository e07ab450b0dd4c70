#include "scenarios/language/runner.hpp"

#include <fmt/format.h>

#include "sim/explore/replay_strategy.hpp"
#include "sim/kernel/world.hpp"

namespace watchlab::scenarios {
namespace {

using sim::ReplayStrategy;
using sim::Schedule;

/// The schedule of an ordinary run.
Schedule ordinary_schedule(const Scenario& scenario) {
  if (!scenario.schedule.empty()) {
    return schedule_for(scenario, scenario.schedule);
  }
  return {.scenario = scenario.hash,
          .seed = static_cast<std::uint64_t>(scenario.explore.seed),
          .steps_max = static_cast<std::size_t>(scenario.explore.steps)};
}

sim::WorldOptions options_for(const Scenario& scenario, const Schedule& schedule) {
  return {.seed = schedule.seed,
          .steps_max = schedule.steps_max,
          .early_advances_max = schedule.early_advances_max,
          .record = true,
          .scenario = scenario.hash};
}

std::vector<std::string> unfired_faults_in(const Scenario& scenario, const sim::Record& record) {
  std::vector<std::string> lines;
  for (const sim::FaultRecord& fault : record.faults) {
    if (fault.acted == 0 && !fault.choice) {
      const std::string as = fault.as == fault.name ? "" : fmt::format(" ({})", fault.as);
      lines.push_back(fmt::format("{}:{}: the fault '{}'{} never fired",
                                  scenario.path.empty() ? scenario.name : scenario.path, fault.line,
                                  fault.name, as));
    }
  }
  return lines;
}

}  // namespace

Schedule schedule_for(const Scenario& scenario, std::string_view text) {
  Schedule schedule = Schedule::parse(text);
  if (schedule.scenario != scenario.hash) {
    throw sim::InvalidSchedule(
        fmt::format("the schedule was made for another scenario, or for this one before its "
                    "clients, server or script changed: it carries {:x}, '{}' has {:x}",
                    schedule.scenario, scenario.name, scenario.hash));
  }
  return schedule;
}

Played replay_scenario(const Scenario& scenario, const Schedule& schedule, bool guided) {
  sim::World world(options_for(scenario, schedule));
  ReplayStrategy strategy(schedule,
                          guided ? ReplayStrategy::Mode::Guided : ReplayStrategy::Mode::Strict);
  const bool ordinary = schedule == ordinary_schedule(scenario);
  const Scope scope = ordinary ? Scope::StoredOrder : Scope::AnyOrder;
  sim::Record record;
  Played played{.result = world.run(strategy, [&](runtime::Runtime& runtime) {
    play(scenario, scope, runtime, {.record = &record});
  })};
  played.unfired_faults = unfired_faults_in(scenario, record);
  played.divergence = strategy.divergence();
  return played;
}

Played run_scenario(const Scenario& scenario) {
  const Schedule schedule = ordinary_schedule(scenario);
  Played played = replay_scenario(scenario, schedule, false);
  const Played again = replay_scenario(scenario, schedule, false);
  if (again.result.digest != played.result.digest) {
    played.divergence = "the same schedule gave two different runs: the digests differ";
  }
  return played;
}

}  // namespace watchlab::scenarios
