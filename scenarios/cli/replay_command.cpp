#include <fmt/format.h>

#include <memory>
#include <string>

#include "scenarios/cli/commands.hpp"
#include "scenarios/cli/failure_text.hpp"
#include "scenarios/cli/schedule_argument.hpp"

namespace watchlab::scenarios {
namespace {

struct Arguments {
  CommonOptions common;
  std::string name;
  std::string schedule;
  bool guided = false;
};

int replay(const Arguments& arguments) {
  Console console(arguments.common);
  const std::optional<Scenario> scenario = load_for_command(arguments.name, console);
  if (!scenario) {
    return exit_usage;
  }
  Report report(arguments.common, "replay");
  try {
    const sim::Schedule schedule = schedule_for(*scenario, schedule_text(arguments.schedule));
    const Played played = replay_scenario(*scenario, schedule, arguments.guided);
    const ReportEntry entry = entry_for(*scenario, played);
    report.add(entry);
    if (played.divergence) {
      console.complain(fmt::format("{}: the run left the schedule: {}\n--guided plays what fits",
                                   entry.path, *played.divergence));
    } else if (!entry.held) {
      console.complain(fmt::format("{}  {}\n{}", console.bad("FAIL"), entry.name,
                                   failure_text(entry, played.result)));
    } else {
      console.remark(fmt::format("{}  {} under this schedule, {} steps", console.good("held"),
                                 entry.name, entry.steps));
    }
    if (!report.write(console) || played.divergence) {
      return exit_usage;
    }
    return entry.held ? exit_held : exit_found;
  } catch (const sim::InvalidSchedule& failure) {
    console.complain(fmt::format("watchlab replay: {}", failure.what()));
    return exit_usage;
  }
}

}  // namespace

Command replay_command() {
  auto arguments = std::make_shared<Arguments>();
  return {.name = "replay",
          .summary = "Plays a scenario under one schedule.",
          .footer =
              "A failure prints the line that replays it; this is the command in that line.\n"
              "Examples:\n  watchlab replay missed_delete --schedule 'w1:…'\n"
              "  watchlab replay missed_delete --schedule @schedule.txt --guided",
          .arguments = with_common_options({{.name = "FILE",
                                             .target = &arguments->name,
                                             .help = "A path, theme/name, or a name",
                                             .required = true},
                                            {.name = "--schedule",
                                             .target = &arguments->schedule,
                                             .help = "The schedule, or @file for one in a file",
                                             .required = true},
                                            {.name = "--guided",
                                             .target = &arguments->guided,
                                             .help = "Applies what fits and leaves out the rest"}},
                                           arguments->common),
          .run = [arguments] { return replay(*arguments); }};
}

}  // namespace watchlab::scenarios
