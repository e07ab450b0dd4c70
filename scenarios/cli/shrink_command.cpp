#include <fmt/format.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "scenarios/cli/commands.hpp"
#include "scenarios/cli/failure_text.hpp"
#include "scenarios/cli/scenario_command.hpp"
#include "scenarios/cli/schedule_argument.hpp"
#include "scenarios/cli/usual_arguments.hpp"
#include "scenarios/language/play.hpp"
#include "sim/explore/shrink.hpp"

namespace watchlab::scenarios {
namespace {

struct Arguments {
  CommonOptions common;
  std::string name;
  std::string schedule;
  bool prove = false;
};

std::string summary_of(const sim::ShrinkResult& result) {
  return fmt::format("{} deviations from fifo became {}, with {} preemption{}, in {} runs; {}",
                     result.deviations_before, result.deviations, result.preemptions,
                     result.preemptions == 1 ? "" : "s", result.runs,
                     result.proven ? "no run with fewer preemptions fails this way"
                                   : "whether fewer preemptions would do was not proven");
}

/// Prints the schedule alone on stdout, so that a script can take it; the rest goes to stderr.
int shrink(const Arguments& arguments, const Scenario& scenario, Console& console) {
  const sim::Schedule schedule = schedule_for(scenario, schedule_text(arguments.schedule));
  const sim::Failure failure{
      .kind = "", .sentence = "", .schedule = schedule.to_text(), .steps = 0};
  const sim::ShrinkResult result =
      sim::shrink(failure, {.prove = arguments.prove}, body_of(scenario, Scope::AnyOrder));
  console.complain(result.failure.sentence);
  console.complain(summary_of(result));
  console.line(result.failure.schedule);
  return exit_found;
}

}  // namespace

Command shrink_command() {
  auto arguments = std::make_shared<Arguments>();
  return {.name = "shrink",
          .summary = "Finds the shortest schedule that still fails in the same way.",
          .footer =
              "Prints the schedule alone on stdout. Exit 1, because the scenario still fails.\n"
              "Examples:\n"
              "  watchlab shrink my_race.yaml --schedule @schedule.txt > shorter.txt\n"
              "  watchlab shrink my_race.yaml --schedule 'w1:…' --prove",
          .arguments = with_common_options(
              {scenario_argument(arguments->name),
               schedule_argument(arguments->schedule),
               {.name = "--prove",
                .target = &arguments->prove,
                .help = "Searches until no run with fewer preemptions can fail this way"}},
              arguments->common),
          .run = on_scenario("shrink", arguments, shrink)};
}

}  // namespace watchlab::scenarios
