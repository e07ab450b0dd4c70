#include <fmt/format.h>

#include <boost/json.hpp>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>

#include "scenarios/cli/commands.hpp"
#include "scenarios/cli/scenario_command.hpp"
#include "scenarios/cli/trace_source.hpp"
#include "sim/trace/run_diff.hpp"

namespace watchlab::scenarios {
namespace {

struct DiffArguments {
  CommonOptions common;
  std::string first;
  std::string second;
  std::string schedule;
  std::string other_schedule;
};

bool is_trace_file(const std::string& name) { return name.ends_with(".jsonl"); }

/// A trace that was written down.
sim::RunTrace read_trace(const std::string& path) {
  std::ifstream file(path);
  if (!file) {
    throw std::invalid_argument(path + " cannot be read");
  }
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  try {
    return sim::RunTrace::parse(text);
  } catch (const std::invalid_argument& wrong) {
    throw std::invalid_argument(path + ": " + wrong.what());
  }
}

/// One side; nothing after a complaint.
std::optional<sim::RunTrace> side(const std::string& name, const std::string& schedule,
                                  Console& console) {
  if (is_trace_file(name)) {
    if (!schedule.empty()) {
      throw std::invalid_argument(name + " is a run already; a schedule does not go with it");
    }
    return read_trace(name);
  }
  std::optional<sim::RunTrace> trace;
  (void)with_scenario("diff", name, console, [&](const Scenario& scenario) {
    trace = trace_scenario(scenario, schedule);
    return exit_held;
  });
  return trace;
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

int diff(const DiffArguments& arguments) {
  Console console(arguments.common);
  try {
    const bool one_name = arguments.second.empty();
    if (one_name && arguments.schedule == arguments.other_schedule) {
      console.complain(
          "watchlab diff: there is one run only; give a second one, or another schedule by "
          "--with");
      return exit_usage;
    }
    const auto first = side(arguments.first, arguments.schedule, console);
    const auto second =
        side(one_name ? arguments.first : arguments.second, arguments.other_schedule, console);
    if (!first || !second) {
      return exit_usage;
    }
    const sim::RunDiff found = sim::diff_runs(*first, *second);
    console.line(arguments.common.json ? json_of(found) : found.to_text());
    return found.is_empty() ? exit_held : exit_found;
  } catch (const std::invalid_argument& refused) {
    console.complain(fmt::format("watchlab diff: {}", refused.what()));
    return exit_usage;
  }
}

}  // namespace

Command diff_command() {
  auto arguments = std::make_shared<DiffArguments>();
  return {.name = "diff",
          .summary = "Compares two runs: where they part, and what clients see otherwise.",
          .footer =
              "Steps are aligned by who does what to which object. Exit 0 when the runs are the "
              "same, 1 when they\ndiffer.\n"
              "Examples:\n  watchlab diff missed_delete --with 'w1:…'\n  watchlab diff "
              "missed_delete --schedule @good.txt --with @bad.txt\n"
              "  watchlab diff before.jsonl after.jsonl",
          .arguments = with_common_options(
              {{.name = "A",
                .target = &arguments->first,
                .help = "A scenario, or a run that `watchlab trace -o` wrote (.jsonl)",
                .required = true},
               {.name = "B",
                .target = &arguments->second,
                .help = "The same; the scenario A again if left out"},
               {.name = "--schedule",
                .target = &arguments->schedule,
                .help = "Of A, or @file; the ordinary one if left out"},
               {.name = "--with",
                .target = &arguments->other_schedule,
                .help = "Of B, or @file; the ordinary one if left out"}},
              arguments->common),
          .run = [arguments] { return diff(*arguments); }};
}

}  // namespace watchlab::scenarios
