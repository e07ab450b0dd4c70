#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <stdexcept>
#include <string>

#include "scenarios/cli/commands.hpp"
#include "scenarios/cli/graphviz.hpp"
#include "scenarios/cli/report.hpp"
#include "scenarios/language/runner.hpp"
#include "sim/trace/spacetime.hpp"

namespace watchlab::scenarios {
namespace {

struct Arguments {
  CommonOptions common;
  std::string name;
  std::string view = "spacetime";
  std::string schedule;
  std::string output;
};

Played play_for_picture(const Scenario& scenario, const Arguments& arguments) {
  if (arguments.schedule.empty()) {
    return run_scenario(scenario);
  }
  return replay_scenario(scenario, schedule_for(scenario, arguments.schedule), false);
}

int draw(const Arguments& arguments) {
  Console console(arguments.common);
  const std::optional<Scenario> scenario = load_for_command(arguments.name, console);
  if (!scenario) {
    return exit_usage;
  }
  try {
    const Played played = play_for_picture(*scenario, arguments);
    const std::string dot = sim::spacetime_dot(
        played.result, {.title = display_name(scenario->path), .story = scenario->story});
    const std::string svg = svg_from_dot(dot, "nop");
    if (arguments.output.empty()) {
      console.line(svg);
      return exit_held;
    }
    const std::string problem = write_file(arguments.output, svg);
    if (!problem.empty()) {
      console.complain(problem);
      return exit_usage;
    }
    console.remark(fmt::format("{} is drawn", arguments.output));
    return exit_held;
  } catch (const sim::InvalidSchedule& failure) {
    console.complain(fmt::format("watchlab draw: {}", failure.what()));
    return exit_usage;
  }
}

}  // namespace

void add_draw_command(CLI::App& program, Outcome& outcome) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = program.add_subcommand("draw", "Draws a run as an SVG picture.");
  command->add_option("FILE", arguments->name, "A path, theme/name, or a name")->required();
  command
      ->add_option("--view", arguments->view, "spacetime: who did what, when; messages as arrows")
      ->check(CLI::IsMember({"spacetime"}))
      ->capture_default_str();
  command->add_option("--schedule", arguments->schedule, "Draws the run under this schedule");
  command->add_option("-o,--output", arguments->output, "Standard output if left out")
      ->type_name("FILE");
  add_common_options(*command, arguments->common);
  command->footer(
      "Examples:\n  watchlab draw missed_delete --view spacetime -o missed_delete.svg\n"
      "  watchlab draw missed_delete --schedule 'w1:…' -o failing.svg");
  command->callback([arguments, &outcome] { outcome.exit_code = draw(*arguments); });
}

}  // namespace watchlab::scenarios
