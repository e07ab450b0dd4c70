#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/cli/commands.hpp"
#include "scenarios/command_line/output_file.hpp"
#include "scenarios/export/export_formats.hpp"
#include "scenarios/language/catalogue.hpp"
#include "scenarios/language/input_file.hpp"
#include "scenarios/language/plain_text.hpp"
#include "scenarios/language/utf8.hpp"
#include "sim/explain/wording.hpp"
#include "sim/trace/run_diff.hpp"

namespace watchlab::scenarios {
namespace {

struct TraceArguments {
  CommonOptions common;
  std::string name;
  std::string schedule;
  std::string transport;
  std::string machine;
  std::string output;
  std::string format;  ///< "" for the table, or JSON lines in a file
  std::optional<std::size_t> lanes;
  std::optional<std::size_t> rows;
};

/// Of a line in a file: where the last column begins, and what stands before the first one and in
/// most of them.
constexpr std::size_t kLanesWidth = 100;
constexpr std::size_t kStepWidth = 8;
constexpr std::size_t kDeedWidth = 40;
constexpr std::size_t kTraceLanesMax = 12;
constexpr std::size_t kTraceRowsMax = 100'000;

void print_columns(const sim::Witness& witness, const TraceArguments& arguments, Console& console) {
  const std::size_t columns = console.columns_or(kLanesWidth + kStepWidth + kDeedWidth);
  const std::size_t lanes = columns - std::min(columns, kStepWidth + kDeedWidth);
  const std::size_t width =
      std::clamp<std::size_t>(lanes / std::max<std::size_t>(1, witness.actors.size()), 3, 36);
  console.line(sim::columns_text(witness, {.rows_max = arguments.rows.value_or(kTraceRowsMax),
                                           .lanes_max = arguments.lanes.value_or(kTraceLanesMax),
                                           .lane_width = width}));
}

/// Writes the run for another tool.
int export_run(const ExportFormat& format, const TraceArguments& arguments,
               const Scenario& scenario, Console& console) {
  if (format.is_binary && !names_a_file(arguments.output)) {
    throw std::invalid_argument(fmt::format(
        "{} is no text; -o names the file to write, for one -o run{}", format.name, format.ending));
  }
  const Scope scope = arguments.schedule.empty() ? Scope::StoredOrder : Scope::AnyOrder;
  const SeenRun seen = see_run(scenario, schedule_or_default(scenario, arguments.schedule), scope);
  const std::string written = format.write(scenario, seen);
  const std::string text = format.is_binary ? written : visible_text(written);
  if (arguments.output.empty()) {
    console.line(std::string_view(text).substr(0, text.find_last_not_of('\n') + 1));
  } else if (write_output(arguments.output, text, console) != kExitHeld) {
    return kExitFound;
  } else {
    console.note_output(arguments.output,
                        fmt::format(": {} steps, {} kB for {}", seen.witness.result.steps,
                                    (text.size() + 999) / 1000, format.name));
  }
  return seen.witness.result.failure ? kExitFound : kExitHeld;
}

std::vector<std::string> format_names() {
  std::vector<std::string> names{"jsonl"};
  for (const ExportFormat& format : export_formats()) {
    names.emplace_back(format.name);
  }
  return names;
}

std::string format_help() {
  std::string help = "jsonl: JSON Lines, for `watchlab diff`";
  for (const ExportFormat& format : export_formats()) {
    help += fmt::format(". {}: {} ({})", format.name, format.doc, format.ending);
  }
  return help;
}

/// Throws `std::invalid_argument` for options that do not go together.
void check(const TraceArguments& arguments) {
  const bool is_written = !arguments.output.empty();
  refuse_unused(arguments.common.json && is_written, "--json", "-o writes the run to a file");
  refuse_unused(arguments.common.json && !arguments.format.empty(), "--json",
                "--format says how the run is written");
  refuse_unused(arguments.common.quiet && !names_a_file(arguments.output), "--quiet",
                "it leaves out the line about the file that -o names");
  const bool is_table = !is_written && !arguments.common.json && arguments.format.empty();
  constexpr std::string_view kWhy = "it lays out the table; --json, -o and --format write none";
  refuse_unused(arguments.lanes && !is_table, "--lanes", kWhy);
  refuse_unused(arguments.rows && !is_table, "--rows", kWhy);
}

int trace(const TraceArguments& arguments, const Scenario& scenario, Console& console) {
  check(arguments);
  if (const ExportFormat* const format = find_export_format(arguments.format)) {
    return export_run(*format, arguments, scenario, console);
  }
  const sim::Witness witness = witness_scenario(scenario, arguments.schedule);
  const sim::RunTrace trace = sim::trace_of(witness, display_name(scenario.path));
  if (!arguments.output.empty()) {
    if (write_output(arguments.output, visible_text(trace.to_lines()), console) != kExitHeld) {
      return kExitFound;
    }
    console.note_output(arguments.output, fmt::format(": {} steps, {} notes", trace.steps.size(),
                                                      trace.notes.size()));
  } else if (arguments.common.json || !arguments.format.empty()) {
    const std::string lines = trace.to_lines();
    console.line(std::string_view(lines).substr(0, lines.rfind('\n')));
  } else {
    print_columns(witness, arguments, console);
    console.line("end: " + trace.outcome);
  }
  return witness.result.failure ? kExitFound : kExitHeld;
}

struct DiffArguments {
  CommonOptions common;
  std::string first;
  std::string second;
  std::string schedule;
  std::string other_schedule;
};

/// A trace that was written down.
sim::RunTrace read_trace(const std::string& path) {
  const std::string text = read_input(path);
  if (text.empty()) {
    throw std::invalid_argument(path + ": the file is empty; expected what `trace -o` has written");
  }
  try {
    return sim::RunTrace::parse(text);
  } catch (const std::invalid_argument& wrong) {
    throw std::invalid_argument(path + ": " + wrong.what());
  }
}

/// One side; nothing after an error.
std::optional<sim::RunTrace> side(const std::string& name, const std::string& given,
                                  Console& console) {
  const std::string schedule = unless_default(given);
  if (name.ends_with(".jsonl")) {
    if (!schedule.empty()) {
      throw std::invalid_argument(name + " is a run already; a schedule does not go with it");
    }
    return read_trace(name);
  }
  std::optional<sim::RunTrace> trace;
  (void)with_scenario("diff", name, console, [&](const Scenario& scenario) {
    trace = sim::trace_of(witness_scenario(scenario, schedule), display_name(scenario.path));
    return kExitHeld;
  });
  return trace;
}

/// Whether what a side names can be found and read, looked at before the other one is played.
bool is_there(const std::string& name, Console& console) {
  return name.ends_with(".jsonl")
             ? (void(read_trace(name)), true)
             : with_scenario("diff", name, console, [](const Scenario&) { return kExitHeld; }) ==
                   kExitHeld;
}

std::string json_of(const sim::RunDiff& diff) {
  boost::json::array observed;
  for (const sim::ObservedDifference& each : diff.observed) {
    boost::json::array lines(each.lines.begin(), each.lines.end());
    observed.push_back({{"what", each.what},
                        {"only_first", each.only_first},
                        {"only_second", each.only_second},
                        {"lines", std::move(lines)}});
  }
  return boost::json::serialize(boost::json::object{{"same", diff.is_empty()},
                                                    {"alike", diff.alike},
                                                    {"first", diff.first.value_or("")},
                                                    {"second", diff.second.value_or("")},
                                                    {"first_outcome", diff.first_outcome},
                                                    {"second_outcome", diff.second_outcome},
                                                    {"observed", std::move(observed)}});
}

int diff(const DiffArguments& arguments, Console& console) {
  const bool one_name = arguments.second.empty();
  if (one_name && unless_default(arguments.schedule) == unless_default(arguments.other_schedule)) {
    throw std::invalid_argument(
        "there is one run only; give a second one, or another schedule by --with");
  }
  if (!is_there(arguments.first, console) || (!one_name && !is_there(arguments.second, console))) {
    return kExitUsage;
  }
  const auto first = side(arguments.first, arguments.schedule, console);
  if (!first) {
    return kExitUsage;
  }
  const auto second =
      side(one_name ? arguments.first : arguments.second, arguments.other_schedule, console);
  if (!second) {
    return kExitUsage;
  }
  const sim::RunDiff found = sim::diff_runs(*first, *second);
  console.line(arguments.common.json ? json_of(found) : Console::with_headings(found.to_string()));
  return found.is_empty() ? kExitHeld : kExitFound;
}

}  // namespace

std::vector<Command> trace_commands() {
  return {
      command<TraceArguments>(
          {.name = "trace",
           .group = "Understand",
           .summary = "Prints a run step by step, one column per task.",
           .footer =
               "A line between two rows says why another task runs next. With --json: a header, "
               "then steps and notes in order; `watchlab diff` compares them.\n"
               "Examples:\n"
               "  watchlab trace missed_delete\n"
               "  watchlab trace missed_delete --lanes 0 --rows 50\n"
               "  watchlab trace missed_delete --schedule 'w1:…' -o run.jsonl\n"
               "  watchlab trace missed_delete --format perfetto -o run.pftrace   # for "
               "ui.perfetto.dev",
           .shares = {.json = true, .quiet = true, .allow_run = true},
           .arguments = [](TraceArguments& to) -> std::vector<Argument> {
             return {scenario_argument(to.name),
                     optional_schedule_argument(to.schedule),
                     one_transport_argument(to.transport),
                     one_machine_argument(to.machine),
                     output_argument(to.output,
                                     "Writes the run to this file, as JSON Lines or in "
                                     "--format"),
                     {.name = "--format",
                      .target = &to.format,
                      .help = format_help(),
                      .one_of = format_names()},
                     {"--lanes", &to.lanes,
                      "Maximum number of columns; with more tasks, each row names its task"},
                     {"--rows", &to.rows, "Prints only the last rows"}};
           },
           .run = on_scenario("trace", trace)}),
      command<DiffArguments>(
          {.name = "diff",
           .group = "Understand",
           .summary = "Compares two runs: where they diverge, and what clients see.",
           .footer = "Steps are aligned by who does what to which object. The exit status is 0 "
                     "if the runs are the same, 1 if they differ.\n"
                     "Examples:\n"
                     "  watchlab diff missed_delete --with 'w1:…'\n"
                     "  watchlab diff missed_delete --schedule @good.txt --with @bad.txt\n"
                     "  watchlab diff before.jsonl after.jsonl",
           .shares = {.json = true, .allow_run = true},
           .arguments = [](DiffArguments& to) -> std::vector<Argument> {
             return {{.name = "A",
                      .target = &to.first,
                      .help = "A scenario, or a run that `watchlab trace -o` wrote (.jsonl)",
                      .required = true},
                     {"B", &to.second, "The same; default: scenario A again"},
                     {"--schedule", &to.schedule,
                      "Schedule of A, or @FILE; default: the default "
                      "order"},
                     {"--with", &to.other_schedule,
                      "Schedule of B, or @FILE; default: the "
                      "default order"}};
           },
           .run = refusing("diff", diff)})};
}

}  // namespace watchlab::scenarios
