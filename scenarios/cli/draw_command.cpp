#include <fmt/format.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "scenarios/cli/commands.hpp"
#include "scenarios/cli/graphviz.hpp"
#include "scenarios/cli/scenario_command.hpp"
#include "scenarios/cli/schedule_argument.hpp"
#include "scenarios/cli/usual_arguments.hpp"
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
  return replay_scenario(scenario, schedule_for(scenario, schedule_text(arguments.schedule)),
                         false);
}

int draw(const Arguments& arguments, const Scenario& scenario, Console& console) {
  const Played played = play_for_picture(scenario, arguments);
  const std::string dot = sim::spacetime_dot(
      played.result, {.title = display_name(scenario.path), .story = scenario.story});
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
}

}  // namespace

Command draw_command() {
  auto arguments = std::make_shared<Arguments>();
  return {.name = "draw",
          .summary = "Draws a run as an SVG picture.",
          .footer =
              "Examples:\n  watchlab draw missed_delete --view spacetime -o missed_delete.svg\n"
              "  watchlab draw missed_delete --schedule 'w1:…' -o failing.svg",
          .arguments = with_common_options(
              {scenario_argument(arguments->name),
               {.name = "--view",
                .target = &arguments->view,
                .help = "spacetime: who did what, when; messages as arrows",
                .one_of = {"spacetime"}},
               optional_schedule_argument(arguments->schedule, "the ordinary one"),
               {.name = "-o,--output",
                .target = &arguments->output,
                .help = "Standard output if left out",
                .type_name = "FILE"}},
              arguments->common),
          .run = on_scenario("draw", arguments, draw)};
}

}  // namespace watchlab::scenarios
