#include <fmt/format.h>

#include <memory>
#include <string>

#include "scenarios/cli/commands.hpp"
#include "scenarios/cli/failure_text.hpp"
#include "scenarios/cli/scenario_command.hpp"
#include "scenarios/cli/schedule_argument.hpp"
#include "scenarios/cli/usual_arguments.hpp"
#include "sim/explain/explain.hpp"

namespace watchlab::scenarios {
namespace {

struct ReplayArguments {
  CommonOptions common;
  std::string name;
  std::string schedule;
  std::string transport;
  bool guided = false;
  std::size_t times = 1;
};

/// What makes the difference, in short.
std::string why_of(const Scenario& scenario, const ReportEntry& entry) {
  return sim::explain_in_short(entry.schedule, body_of(scenario, Scope::AnyOrder));
}

/// Plays the schedule so often; a run that differs from the first is its divergence.
Played play_often(const Scenario& scenario, const sim::Schedule& schedule,
                  const ReplayArguments& arguments) {
  Played first = replay_scenario(scenario, schedule, arguments.guided);
  for (std::size_t i = 1; i < arguments.times && !first.divergence; ++i) {
    const Played again = replay_scenario(scenario, schedule, arguments.guided);
    if (again.divergence || again.result.digest != first.result.digest) {
      first.divergence = fmt::format("time {} went another way than the first", i + 1);
    }
  }
  return first;
}

int replay(const ReplayArguments& arguments, const Scenario& scenario, Console& console) {
  Report report(arguments.common, "replay");
  const sim::Schedule schedule = schedule_for(scenario, schedule_text(arguments.schedule));
  const Stopwatch watch;
  const Played played = play_often(scenario, schedule, arguments);
  ReportEntry entry = entry_for(scenario, played);
  entry.seconds = watch.seconds();
  entry.executions = arguments.times;
  report.add(entry);
  if (played.divergence) {
    console.complain(fmt::format("{}: the run left the schedule: {}\n--guided plays what fits",
                                 entry.path, *played.divergence));
  } else if (!entry.held) {
    console.complain(fmt::format("{}  {}\n{}", console.bad("FAIL"), entry.name,
                                 failure_text(entry, played.result, why_of(scenario, entry))));
  } else {
    console.remark(fmt::format("{}  {} under this schedule, {} steps", console.good("held"),
                               entry.name, entry.steps));
  }
  const bool is_written = report.write(console);
  if (played.divergence) {
    return exit_usage;
  }
  return entry.held && is_written ? exit_held : exit_found;
}

}  // namespace

Command replay_command() {
  auto arguments = std::make_shared<ReplayArguments>();
  return {.name = "replay",
          .summary = "Plays a scenario under one schedule.",
          .footer =
              "A failure prints the line that replays it; this is the command in that line.\n"
              "Examples:\n  watchlab replay missed_delete --schedule 'w1:…'\n"
              "  watchlab replay missed_delete --schedule @schedule.txt --guided\n"
              "  watchlab replay missed_delete --schedule @schedule.txt --times 100",
          .arguments = with_common_options({scenario_argument(arguments->name),
                                            schedule_argument(arguments->schedule),
                                            one_transport_argument(arguments->transport),
                                            {.name = "--guided",
                                             .target = &arguments->guided,
                                             .help = "Applies what fits and leaves out the rest"},
                                            {.name = "--times",
                                             .target = &arguments->times,
                                             .help = "How often; each time must go the same way",
                                             .least = 1}},
                                           arguments->common),
          .run = on_scenario("replay", arguments, replay)};
}

}  // namespace watchlab::scenarios
