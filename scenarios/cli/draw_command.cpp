#include <fmt/format.h>

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

Command draw_command() {
  auto arguments = std::make_shared<Arguments>();
  return {.name = "draw",
          .summary = "Draws a run as an SVG picture.",
          .footer =
              "Examples:\n  watchlab draw missed_delete --view spacetime -o missed_delete.svg\n"
              "  watchlab draw missed_delete --schedule 'w1:…' -o failing.svg",
          .arguments =
              with_common_options({{.name = "FILE",
                                    .target = &arguments->name,
                                    .help = "A path, theme/name, or a name",
                                    .required = true},
                                   {.name = "--view",
                                    .target = &arguments->view,
                                    .help = "spacetime: who did what, when; messages as arrows",
                                    .one_of = {"spacetime"}},
                                   {.name = "--schedule",
                                    .target = &arguments->schedule,
                                    .help = "Draws the run under this schedule"},
                                   {.name = "-o,--output",
                                    .target = &arguments->output,
                                    .help = "Standard output if left out",
                                    .type_name = "FILE"}},
                                  arguments->common),
          .run = [arguments] { return draw(*arguments); }};
}

}  // namespace watchlab::scenarios
