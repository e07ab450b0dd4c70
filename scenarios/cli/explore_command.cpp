#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "scenarios/campaign/campaign_text.hpp"
#include "scenarios/cli/commands.hpp"
#include "scenarios/cli/explore_scenario.hpp"
#include "scenarios/cli/failure_text.hpp"
#include "scenarios/cli/in_parallel.hpp"
#include "scenarios/cli/interrupt.hpp"
#include "scenarios/cli/state_folder.hpp"
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

/// The first one as a failure is always told, then all different ones with a line each.
void print_failures(const Explored& explored, bool continues, Console& console) {
  const ReportEntry& entry = explored.record.entry;
  const std::string where = continues
                                ? fmt::format("{} different failures in {} schedules; the first is",
                                              explored.result.failures.size(), entry.executions)
                                : fmt::format("in schedule {} of those played", entry.executions);
  console.complain(fmt::format("{}  {}, {}\n{}", console.bad("FAIL"), entry.name, where,
                               failure_text(entry, explored.failing, explored.why)));
  if (!continues) {
    return;
  }
  for (const sim::DistinctFailure& each : explored.result.failures) {
    const std::string& sentence = each.first.sentence;
    console.complain(fmt::format("{:>8} times, first in schedule {}: {}: {}\n          {}",
                                 each.count, each.first_run, each.first.kind,
                                 sentence.substr(0, sentence.find('\n')), each.first.schedule));
  }
}

/// Whether all that was asked for was played, or a failure has ended it.
bool has_ended(const Explored& explored, bool continues) {
  return !explored.result.interrupted || (explored.result.failure && !continues);
}

void print_explored(const Explored& explored, bool continues, Console& console) {
  const ReportEntry& entry = explored.record.entry;
  if (explored.bad_input) {
    console.complain(entry.sentence);
    return;
  }
  if (!explored.earlier.empty()) {
    console.remark(fmt::format("{}: an earlier exploration had stopped; to go on with that:\n  {}",
                               entry.name, explored.earlier));
  }
  if (entry.held) {
    print_held(explored, console);
  } else if (entry.kind == ReportEntry::kNotPlayed) {
    console.complain(fmt::format("not played  {}: {}", entry.name, entry.sentence));
  } else {
    print_failures(explored, continues, console);
  }
  if (!explored.record.resume.empty()) {
    console.remark("      stopped; to go on:\n  " + explored.record.resume);
  }
  if (!explored.problem.empty()) {
    console.complain("watchlab explore: " + unkept_text(explored.problem,
                                                        has_ended(explored, continues),
                                                        explored.record.resume));
  }
}

/// What says where an exploration stood goes when all of it has been told, and not before.
void forget(const Explored& explored) {
  if (!explored.finished_file.empty() && flush_standard_output().empty()) {
    std::error_code failure;
    std::filesystem::remove(explored.finished_file, failure);
  }
}

int explore(ExploreArguments& arguments) {
  Console console(arguments.common);
  Report report(arguments.common, "explore", Report::Lines::Sealed);
  const std::string problem = problem_with(arguments);
  if (!problem.empty()) {
    console.complain("watchlab explore: " + problem);
    return exit_usage;
  }
  const std::vector<CatalogueEntry> files = load_catalogue(named_paths(arguments.names));
  arguments.names_one_file = files.size() == 1;
  const Interrupt interrupt;
  bool any_bad_input = files.empty();
  bool any_unkept = false;
  const bool one_by_one = arguments.jobs == 1 || arguments.names_one_file;
  Console* progress = one_by_one ? &console : nullptr;
  in_parallel<Explored>(
      files.size(), one_by_one ? 1 : arguments.jobs,
      [&](std::size_t i) { return explore_file(files[i], arguments, progress); },
      [&](std::size_t, const Explored& explored) {
        any_bad_input = any_bad_input || explored.bad_input;
        any_unkept = any_unkept || !explored.problem.empty();
        print_explored(explored, arguments.continues, console);
        report.add(explored.bad_input ? explored.record.entry : explored.record.as_entry());
        for (const ReportEntry& each :
             arguments.continues ? failure_entries(explored) : std::vector<ReportEntry>()) {
          report.add_detail(each);
        }
        forget(explored);
      });
  const bool is_written = report.write(console);
  if (any_bad_input) {
    return exit_usage;
  }
  if (Interrupt::requested()) {
    return any_unkept ? exit_found : exit_interrupted;
  }
  if (report.failed() == 0 && report.unplayed() > 0) {
    console.complain(fmt::format("watchlab explore: {} of {} scenarios were not played",
                                 report.unplayed(), files.size()));
    return exit_usage;
  }
  return report.failed() > 0 || any_unkept || !is_written ? exit_found : exit_held;
}

std::string strategies() {
  std::string text;
  for (const sim::StrategyEntry& entry : sim::strategy_catalogue()) {
    text += fmt::format("{}{}", text.empty() ? "" : ", ", entry.name);
  }
  return text;
}

constexpr const char* kFooter =
    "Ctrl-C, SIGTERM and SIGHUP tell what was learned and print the line that goes on; the exit "
    "status\nis 130 then. What was killed goes on with --resume as well: where it stands is "
    "written "
    "down every\n30 s and at each new failure. What goes on tells the whole, as if it had never "
    "stopped.\nA scenario of which no schedule was played in its time has not held: the exit "
    "status is 2.\nWith --continue a failed run ends where it fails, and what it would have "
    "done after that\nis not looked at; two failures are one when kind, text without numbers "
    "and lines are the same.\n"
    "Examples:\n  watchlab explore missed_delete --strategy random --schedules 1000\n"
    "  watchlab explore scenarios --schedules 1000 --jobs 2\n"
    "  watchlab explore slow_handler --time 30s --schedules 1000000\n"
    "  watchlab explore slow_handler --until-unseen 0.5% --schedules 1000000 --jobs 2\n"
    "  watchlab explore slow_handler --shard 0/4 --json > part0.jsonl\n"
    "  watchlab explore my_race.yaml --continue --schedules 10000";

}  // namespace

Command explore_command() {
  auto arguments = std::make_shared<ExploreArguments>();
  return {
      .name = "explore",
      .summary = "Plays scenarios under many schedules, and stops at the first failure of each.",
      .footer = kFooter,
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
            .help = "Goes on from the file that an exploration with the same options has left",
            .type_name = "FILE"},
           {.name = "--save-every",
            .target = &arguments->save_every,
            .help = "How often it writes down where it stands; 30s if left out"},
           {.name = "--continue",
            .target = &arguments->continues,
            .help =
                "Goes on after a failure, and lists the different ones with how often each came "
                "and its first schedule; with --json a line each"},
           {.name = "--until-unseen",
            .target = &arguments->until_unseen,
            .help = "Stops when the next run shows something new with less than that, like 0.1%",
            .type_name = "P"}},
          arguments->common),
      .run = [arguments] { return explore(*arguments); }};
}

}  // namespace watchlab::scenarios
