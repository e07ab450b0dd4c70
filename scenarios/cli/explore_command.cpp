#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "scenarios/campaign/campaign_text.hpp"
#include "scenarios/cli/commands.hpp"
#include "scenarios/cli/explore_scenario.hpp"
#include "scenarios/cli/failure_text.hpp"
#include "scenarios/cli/in_parallel.hpp"
#include "scenarios/cli/interrupt.hpp"
#include "scenarios/cli/usual_arguments.hpp"
#include "sim/explore/strategy_catalogue.hpp"

namespace watchlab::scenarios {
namespace {

void print_held(const Explored& explored, Console& console) {
  const ReportEntry& entry = explored.record.entry;
  const sim::ExploreResult& result = explored.result;
  const std::string left_out =
      explored.left_out == 0
          ? ""
          : fmt::format("; {} expectations depend on the order and were left out",
                        explored.left_out);
  console.remark(
      fmt::format("{}  {:<40} {} schedules{}, {:.0f} a second{}", console.good("held"), entry.name,
                  entry.executions, result.exhausted ? ", that is all there are" : "",
                  static_cast<double>(entry.executions) / std::max(entry.seconds, 1e-9), left_out));
  if (!result.exhausted) {
    console.remark("      " + progress_text(result, entry.seconds));
  }
  if (result.saturated) {
    console.remark("      stopped because something new has become that improbable");
  }
}

void print_explored(const Explored& explored, Console& console) {
  const ReportEntry& entry = explored.record.entry;
  if (explored.bad_input) {
    console.complain(entry.sentence);
    return;
  }
  if (entry.held) {
    print_held(explored, console);
  } else {
    console.complain(fmt::format("{}  {}, in schedule {} of those played\n{}", console.bad("FAIL"),
                                 entry.name, entry.executions,
                                 failure_text(entry, explored.failing, explored.why)));
  }
  if (!explored.record.resume.empty()) {
    console.remark("      stopped; to go on:\n  " + explored.record.resume);
  }
}

/// Files and folders by their paths; single scenarios also by their names.
std::vector<CatalogueEntry> named_files(const ExploreArguments& arguments) {
  std::vector<std::string> paths;
  for (const std::string& name : arguments.names) {
    std::string nearest;
    const bool folder = !scenario_files({name}).empty() && scenario_files({name}).front() != name;
    const std::string path = folder ? name : find_scenario("scenarios", name, nearest);
    paths.push_back(path.empty() ? name : path);
  }
  return load_catalogue(paths);
}

int explore(ExploreArguments& arguments) {
  Console console(arguments.common);
  Report report(arguments.common, "explore");
  const std::string problem = problem_with(arguments);
  if (!problem.empty()) {
    console.complain("watchlab explore: " + problem);
    return exit_usage;
  }
  const std::vector<CatalogueEntry> files = named_files(arguments);
  arguments.names_one_file = files.size() == 1;
  const Interrupt interrupt;
  bool any_bad_input = files.empty();
  const bool one_by_one = arguments.jobs == 1 || arguments.names_one_file;
  Console* progress = one_by_one ? &console : nullptr;
  in_parallel<Explored>(
      files.size(), one_by_one ? 1 : arguments.jobs,
      [&](std::size_t i) { return explore_file(files[i], arguments, progress); },
      [&](std::size_t, const Explored& explored) {
        any_bad_input = any_bad_input || explored.bad_input;
        print_explored(explored, console);
        report.add(explored.bad_input ? explored.record.entry : explored.record.as_entry());
      });
  if (!report.write(console) || any_bad_input) {
    return exit_usage;
  }
  if (Interrupt::requested()) {
    return exit_interrupted;
  }
  return report.failed() > 0 ? exit_found : exit_held;
}

std::string strategies() {
  std::string text;
  for (const sim::StrategyEntry& entry : sim::strategy_catalogue()) {
    text += fmt::format("{}{}", text.empty() ? "" : ", ", entry.name);
  }
  return text;
}

}  // namespace

Command explore_command() {
  auto arguments = std::make_shared<ExploreArguments>();
  return {
      .name = "explore",
      .summary = "Plays scenarios under many schedules, and stops at the first failure of each.",
      .footer =
          "Ctrl-C tells what was learned and prints the line that goes on; the exit status is 130 "
          "then.\n"
          "Examples:\n  watchlab explore missed_delete --strategy random --schedules 1000\n"
          "  watchlab explore scenarios --schedules 1000 --jobs 2\n"
          "  watchlab explore slow_handler --time 30s --schedules 1000000\n"
          "  watchlab explore slow_handler --until-unseen 0.5% --schedules 1000000 --jobs 2\n"
          "  watchlab explore slow_handler --shard 0/4 --json > part0.jsonl",
      .arguments = with_common_options(
          {{.name = "FILE",
            .target = &arguments->names,
            .help = "Scenarios by path or name, or folders",
            .required = true},
           {.name = "--strategy",
            .target = &arguments->strategy,
            .help = "How schedules are chosen: " + strategies()},
           {.name = "--schedules,-n",
            .target = &arguments->schedules,
            .help = "How many at most; 1000 if left out",
            .least = 1},
           {.name = "--seed",
            .target = &arguments->seed,
            .help = "Of the strategy and of all random draws"},
           {.name = "--preemptions",
            .target = &arguments->preemptions,
            .help = "How often a running task may be interrupted at most; no bound if left out",
            .least = 0},
           {.name = "--early-advances",
            .target = &arguments->early_advances,
            .help = "How often time may jump while tasks are ready; 0 if left out",
            .least = 0},
           {.name = "--pct-depth",
            .target = &arguments->pct_depth,
            .help = "The depth of strategy pct",
            .least = 1},
           {.name = "--time",
            .target = &arguments->time,
            .help = "Stops each scenario after that time, like 30s"},
           one_transport_argument(arguments->transport),
           {.name = "--jobs,-j",
            .target = &arguments->jobs,
            .help = "On so many cores: one scenario's runs, or several scenarios",
            .least = 1,
            .most = 1024},
           {.name = "--shard",
            .target = &arguments->shard,
            .help = "Only this part of the runs, like 0/4 to 3/4; join them by watchlab merge",
            .type_name = "I/N"},
           {.name = "--from",
            .target = &arguments->from,
            .help = "The first run's number, to go on where a campaign stopped"},
           {.name = "--resume",
            .target = &arguments->resume,
            .help = "Goes on with dfs or dpor from the file that a stopped search wrote",
            .type_name = "FILE"},
           {.name = "--until-unseen",
            .target = &arguments->until_unseen,
            .help = "Stops when the next run shows something new with less than that, like 0.1%",
            .type_name = "P"}},
          arguments->common),
      .run = [arguments] { return explore(*arguments); }};
}

}  // namespace watchlab::scenarios
