#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "scenarios/cli/commands.hpp"
#include "scenarios/cli/scenario_command.hpp"
#include "scenarios/cli/trace_source.hpp"
#include "scenarios/cli/usual_arguments.hpp"
#include "scenarios/language/catalogue.hpp"
#include "sim/explain/columns.hpp"

namespace watchlab::scenarios {
namespace {

struct TraceArguments {
  CommonOptions common;
  std::string name;
  std::string schedule;
  std::string transport;
  std::string output;
  std::size_t lanes = 12;
  std::size_t rows = 100'000;
};

/// Of a line on a usual wide terminal.
constexpr std::size_t kLanesWidth = 100;

void print_columns(const sim::Witness& witness, const TraceArguments& arguments, Console& console) {
  const std::size_t width =
      std::clamp<std::size_t>(kLanesWidth / std::max<std::size_t>(1, witness.actors.size()), 3, 36);
  console.line(sim::columns_text(
      witness, {.rows_max = arguments.rows, .lanes_max = arguments.lanes, .lane_width = width}));
}

int trace(const TraceArguments& arguments, const Scenario& scenario, Console& console) {
  const sim::Witness witness = witness_scenario(scenario, arguments.schedule);
  const sim::RunTrace trace = sim::trace_of(witness, display_name(scenario.path));
  if (!arguments.output.empty()) {
    const std::string problem = write_file(arguments.output, trace.to_lines());
    if (!problem.empty()) {
      console.complain(problem);
      return exit_found;
    }
    console.remark(fmt::format("{}: {} steps, {} notes", arguments.output, trace.steps.size(),
                               trace.notes.size()));
  } else if (arguments.common.json) {
    const std::string lines = trace.to_lines();
    console.line(std::string_view(lines).substr(0, lines.rfind('\n')));
  } else {
    print_columns(witness, arguments, console);
    console.line("end: " + trace.outcome);
  }
  return witness.result.failure ? exit_found : exit_held;
}

}  // namespace

Command trace_command() {
  auto arguments = std::make_shared<TraceArguments>();
  return {.name = "trace",
          .summary = "Tells a run step by step, a column for each task.",
          .footer =
              "Between two rows stands why another task goes on. As data: JSON lines, a head, then "
              "steps and notes\nas they came; `watchlab diff` compares them.\n"
              "Examples:\n  watchlab trace missed_delete\n  watchlab trace missed_delete --lanes 0 "
              "--rows 50\n  watchlab trace missed_delete --schedule 'w1:…' -o run.jsonl",
          .arguments = with_common_options(
              {scenario_argument(arguments->name),
               optional_schedule_argument(arguments->schedule, "the ordinary one"),
               one_transport_argument(arguments->transport),
               {.name = "-o,--output",
                .target = &arguments->output,
                .help = "Writes the run there as JSON lines",
                .type_name = "FILE"},
               {.name = "--lanes",
                .target = &arguments->lanes,
                .help = "Columns at most; with more tasks, each row names its task"},
               {.name = "--rows", .target = &arguments->rows, .help = "Only the last so many"}},
              arguments->common),
          .run = on_scenario("trace", arguments, trace)};
}

}  // namespace watchlab::scenarios
