#include <fmt/format.h>

#include <CLI/CLI.hpp>
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

void add_replay_command(CLI::App& program, Outcome& outcome) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = program.add_subcommand("replay", "Plays a scenario under one schedule.");
  command->add_option("FILE", arguments->name, "A path, theme/name, or a name")->required();
  command->add_option("--schedule", arguments->schedule, "The schedule, or @file for one in a file")
      ->required();
  command->add_flag("--guided", arguments->guided, "Applies what fits and leaves out the rest");
  add_common_options(*command, arguments->common);
  command->footer(
      "A failure prints the line that replays it; this is the command in that line.\n"
      "Examples:\n  watchlab replay missed_delete --schedule 'w1:…'\n"
      "  watchlab replay missed_delete --schedule @schedule.txt --guided");
  command->callback([arguments, &outcome] { outcome.exit_code = replay(*arguments); });
}

}  // namespace watchlab::scenarios
