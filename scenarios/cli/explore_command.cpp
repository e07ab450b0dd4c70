#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "scenarios/cli/commands.hpp"
#include "scenarios/cli/failure_text.hpp"
#include "scenarios/cli/in_parallel.hpp"
#include "scenarios/language/values.hpp"
#include "sim/explore/explore.hpp"
#include "sim/explore/strategy_catalogue.hpp"

namespace watchlab::scenarios {
namespace {

struct Arguments {
  CommonOptions common;
  std::vector<std::string> names;
  std::optional<std::string> strategy;
  std::optional<std::size_t> schedules;
  std::optional<std::uint64_t> seed;
  std::optional<int> preemptions;
  std::optional<int> early_advances;
  std::optional<int> pct_depth;
  std::string time;
  std::size_t jobs = 1;
};

/// What came of exploring one file.
struct Explored {
  ReportEntry entry;
  sim::ExploreResult result;
  sim::RunResult failing_run;
  std::size_t left_out = 0;  ///< expectations that depend on the order
  bool bad_input = false;
};

/// The file's own exploration, with what the command line says instead.
sim::ExploreOptions options_for(const Scenario& scenario, const Arguments& arguments) {
  const Exploration& own = scenario.explore;
  sim::ExploreOptions options;
  options.strategy = arguments.strategy.value_or(own.strategy);
  options.schedules_max = arguments.schedules.value_or(static_cast<std::size_t>(own.schedules));
  options.seed = arguments.seed.value_or(static_cast<std::uint64_t>(own.seed));
  options.steps_max = static_cast<std::size_t>(own.steps);
  options.preemptions_max = arguments.preemptions.value_or(static_cast<int>(own.preemptions));
  options.early_advances_max =
      arguments.early_advances.value_or(static_cast<int>(own.early_advances));
  options.pct_depth = arguments.pct_depth.value_or(options.pct_depth);
  options.scenario = scenario.hash;
  return options;
}

Explored explore_scenario(const Scenario& scenario, const Arguments& arguments, Console* progress) {
  sim::ExploreOptions options = options_for(scenario, arguments);
  runtime::Duration limit{0};
  if (!arguments.time.empty()) {
    (void)parse_duration(arguments.time, limit);
  }
  const double seconds = std::chrono::duration<double>(limit).count();
  const Stopwatch watch;
  options.keep_going = [&](const sim::ExploreResult& so_far) {
    const std::size_t runs = so_far.next_run;
    if (progress != nullptr && runs % 64 == 0) {
      progress->progress(
          fmt::format("{}: {} of {} schedules", scenario.name, runs, options.schedules_max));
    }
    return seconds <= 0 || watch.seconds() < seconds;
  };
  Explored explored;
  explored.left_out = static_cast<std::size_t>(
      std::count_if(scenario.expectations.begin(), scenario.expectations.end(),
                    [](const sim::Expectation& each) { return !each.depends_on_order.empty(); }));
  explored.result = sim::explore(options, body_of(scenario, Scope::AnyOrder));
  explored.entry = {.name = display_name(scenario.path),
                    .path = scenario.path,
                    .held = !explored.result.failure,
                    .executions = explored.result.executions,
                    .seconds = watch.seconds()};
  if (const auto& failure = explored.result.failure) {
    explored.entry.kind = failure->kind;
    explored.entry.sentence = failure->sentence;
    explored.entry.schedule = failure->schedule;
    explored.entry.steps = failure->steps;
    explored.entry.command = replay_line(scenario, failure->schedule);
    const sim::Schedule schedule = schedule_for(scenario, failure->schedule);
    explored.failing_run = replay_scenario(scenario, schedule, true).result;
  }
  return explored;
}

Explored bad_input(const std::string& path, std::string sentence) {
  Explored explored;
  explored.bad_input = true;
  explored.entry = {.name = display_name(path),
                    .path = path,
                    .held = false,
                    .kind = "input",
                    .sentence = std::move(sentence)};
  return explored;
}

Explored explore_file(const CatalogueEntry& file, const Arguments& arguments, Console* progress) {
  if (!file.parsed.scenario) {
    return bad_input(file.path, problem_text(file));
  }
  try {
    return explore_scenario(*file.parsed.scenario, arguments, progress);
  } catch (const std::invalid_argument& failure) {
    return bad_input(file.path, fmt::format("watchlab explore: {}", failure.what()));
  }
}

void print_explored(const Explored& explored, Console& console) {
  const ReportEntry& entry = explored.entry;
  if (explored.bad_input) {
    console.complain(entry.sentence);
    return;
  }
  if (!entry.held) {
    console.complain(fmt::format("{}  {}, in schedule {} of those played\n{}", console.bad("FAIL"),
                                 entry.name, entry.executions,
                                 failure_text(entry, explored.failing_run)));
    return;
  }
  const std::string left_out =
      explored.left_out == 0
          ? ""
          : fmt::format("; {} expectations depend on the order and were left out",
                        explored.left_out);
  console.remark(
      fmt::format("{}  {:<40} {} schedules{}, {:.0f} a second{}", console.good("held"), entry.name,
                  entry.executions, explored.result.exhausted ? ", that is all there are" : "",
                  static_cast<double>(entry.executions) / std::max(entry.seconds, 1e-9), left_out));
}

/// Files and folders by their paths; single scenarios also by their names.
std::vector<CatalogueEntry> named_files(const Arguments& arguments) {
  std::vector<std::string> paths;
  for (const std::string& name : arguments.names) {
    std::string nearest;
    const bool folder = !scenario_files({name}).empty() && scenario_files({name}).front() != name;
    const std::string path = folder ? name : find_scenario("scenarios", name, nearest);
    paths.push_back(path.empty() ? name : path);
  }
  return load_catalogue(paths);
}

int explore(const Arguments& arguments) {
  Console console(arguments.common);
  runtime::Duration limit{0};
  if (!arguments.time.empty() && !parse_duration(arguments.time, limit)) {
    console.complain(
        fmt::format("watchlab explore: --time '{}' is no duration; expected a number "
                    "and a unit, like 30s or 5m",
                    arguments.time));
    return exit_usage;
  }
  Report report(arguments.common, "explore");
  const std::vector<CatalogueEntry> files = named_files(arguments);
  bool any_bad_input = files.empty();
  Console* progress = arguments.jobs == 1 ? &console : nullptr;
  in_parallel<Explored>(
      files.size(), arguments.jobs,
      [&](std::size_t i) { return explore_file(files[i], arguments, progress); },
      [&](std::size_t, const Explored& explored) {
        any_bad_input = any_bad_input || explored.bad_input;
        print_explored(explored, console);
        report.add(explored.entry);
      });
  if (!report.write(console) || any_bad_input) {
    return exit_usage;
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
  auto arguments = std::make_shared<Arguments>();
  return {
      .name = "explore",
      .summary = "Plays scenarios under many schedules, and stops at the first failure of each.",
      .footer =
          "Examples:\n  watchlab explore missed_delete --strategy random --schedules 1000\n"
          "  watchlab explore scenarios --schedules 1000 --jobs 2\n"
          "  watchlab explore slow_handler --time 30s --schedules 1000000",
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
           {.name = "--jobs,-j",
            .target = &arguments->jobs,
            .help = "Scenarios explored at the same time",
            .least = 1,
            .most = 1024}},
          arguments->common),
      .run = [arguments] { return explore(*arguments); }};
}

}  // namespace watchlab::scenarios
