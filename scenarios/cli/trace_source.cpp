#include "scenarios/cli/trace_source.hpp"

#include "scenarios/cli/schedule_argument.hpp"
#include "scenarios/language/catalogue.hpp"
#include "scenarios/language/runner.hpp"

namespace watchlab::scenarios {

std::string schedule_or_ordinary(const Scenario& scenario, const std::string& argument) {
  return argument.empty() ? run_scenario(scenario).result.schedule
                          : schedule_for(scenario, schedule_text(argument)).to_text();
}

sim::Witness witness_scenario(const Scenario& scenario, const std::string& argument) {
  sim::Numbering objects;
  return sim::witness(schedule_or_ordinary(scenario, argument), body_of(scenario, Scope::AnyOrder),
                      objects);
}

sim::RunTrace trace_scenario(const Scenario& scenario, const std::string& argument) {
  return sim::trace_of(witness_scenario(scenario, argument), display_name(scenario.path));
}

}  // namespace watchlab::scenarios
