#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>
#include <iterator>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "scenarios/campaign/campaign.hpp"
#include "scenarios/cli/campaign_record.hpp"
#include "scenarios/cli/commands.hpp"
#include "scenarios/cli/explore_scenario.hpp"
#include "scenarios/cli/folder_progress.hpp"
#include "scenarios/cli/in_parallel.hpp"
#include "scenarios/cli/last_failure.hpp"
#include "scenarios/cli/pasted_line.hpp"
#include "scenarios/cli/report.hpp"
#include "scenarios/cli/resume_file.hpp"
#include "scenarios/command_line/console.hpp"
#include "scenarios/command_line/interrupt.hpp"
#include "scenarios/language/document.hpp"
#include "scenarios/language/input_file.hpp"
#include "scenarios/language/plain_text.hpp"
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
  const std::string verdict = result.exhausted ? ", " + sim::verdict(result) : "";
  console.note_row(
      {.mark = Console::good("held"),
       .name = entry.name,
       .width = 40,
       .facts = fmt::format("{} schedules{}, {:.0f} a second{}", entry.executions, verdict,
                            static_cast<double>(entry.executions) / std::max(entry.seconds, 1e-9),
                            left_out),
       .in_short = fmt::format("{} schedules{}{}", entry.executions, verdict, left_out)});
  if (!result.exhausted) {
    console.note("      " + progress_text(result, entry.seconds));
  }
  if (result.saturated) {
    console.note("      stopped because something new has become that improbable");
  }
}

/// The line that shrinks the failure, which is kept in a file for that; "" when it cannot be.
std::string shrink_line(const Explored& explored, const CatalogueEntry& file) {
  const std::string kept = keep_last_failure(*file.parsed.scenario, explored.record.entry.schedule);
  return kept.empty() ? ""
                      : "\nshrink it: " + line_to_paste("shrink", *file.parsed.scenario,
                                                        "--schedule" + for_shell({"@" + kept}));
}

/// The first one as a failure is always reported, then all different ones with a line each.
void print_failures(const Explored& explored, const CatalogueEntry& file, bool continues,
                    Console& console) {
  const ReportEntry& entry = explored.record.entry;
  const std::string where =
      continues
          ? fmt::format(
                "{} different {} in {} schedules; the first is", explored.result.failures.size(),
                explored.result.failures.size() == 1 ? "failure" : "failures", entry.executions)
          : fmt::format("in schedule {} of those played", entry.executions);
  console.remark(Console::bad("FAIL") + fmt::format("  {}, {}\n{}{}", entry.name, where,
                                                    failure_text(entry, explored.failing,
                                                                 {explored.happened, explored.why}),
                                                    shrink_line(explored, file)));
  if (!continues) {
    return;
  }
  for (const sim::DistinctFailure& each : explored.result.failures) {
    const std::string& sentence = each.first.sentence;
    console.report_error(fmt::format("{:>8} times, first in schedule {}: {}: {}\n          {}",
                                     each.count, each.first_run + 1, each.first.kind,
                                     sentence.substr(0, sentence.find('\n')), each.first.schedule));
  }
}

void print_explored(const Explored& explored, const CatalogueEntry& file,
                    const ExploreArguments& given, Console& console) {
  const bool continues = given.continues;
  const ReportEntry& entry = explored.record.entry;
  if (explored.bad_input) {
    console.report_error(entry.sentence);
    return;
  }
  // Of several stories one line continues all of them, and none the parts of an earlier call.
  if (!explored.earlier.empty() && given.names_one) {
    console.note(fmt::format("{}: an earlier exploration had stopped; to continue with that:\n  {}",
                             entry.name, explored.earlier));
  }
  if (entry.held) {
    print_held(explored, console);
  } else if (entry.kind == ReportEntry::kNotPlayed) {
    console.report_error(fmt::format("not played  {}: {}", entry.name, entry.sentence));
  } else {
    print_failures(explored, file, continues, console);
  }
  if (!explored.result.stopped.empty()) {
    console.note("      " + explored.result.stopped);
  }
  // Several that a signal stopped continue by one line together.
  const bool continues_alone = given.names_one || !explored.stopped_by_signal;
  if (!explored.record.resume.empty() && continues_alone) {
    console.remark("      stopped; to continue:\n  " + explored.record.resume);
  }
  if (!explored.again.empty() && continues_alone) {
    console.remark(fmt::format("      stopped; {} cannot continue, and begins again with:\n  {}",
                               explored.record.strategy, explored.again));
  }
  if (!explored.problem.empty() && continues_alone) {
    const bool has_ended = !explored.result.interrupted || (explored.result.failure && !continues);
    console.report_error("watchlab explore: " +
                         unkept_text(explored.problem, has_ended, explored.record.resume));
    if (!has_ended && explored.record.resume.empty()) {
      console.remark("      stopped; to continue, from the beginning:\n  " +
                     same_exploration(*file.parsed.scenario, given.names_one));
    }
  }
}

/// The files without those that had ended before, of which the results are in the report.
std::vector<CatalogueEntry> files_left(std::vector<CatalogueEntry> files,
                                       const FolderProgress& folder, Report& report,
                                       Console& console) {
  const std::size_t before = files.size();
  std::erase_if(files, [&](const CatalogueEntry& file) {
    const std::optional<CampaignRecord> record = folder.ended(file.path);
    if (record) {
      report.add(record->as_entry());
    }
    return record.has_value();
  });
  if (files.size() < before) {
    console.note(
        fmt::format("{} of {} scenarios were already finished", before - files.size(), before));
  }
  return files;
}

Explored explore_one_of(const CatalogueEntry& file, ExploreArguments arguments,
                        const FolderProgress& folder, Console* progress) {
  if (Interrupt::requested()) {
    return {.has_not_begun = true};
  }
  arguments.resume = folder.resume_of(file.path);
  arguments.from = arguments.resume.empty() ? arguments.from : 0;
  return explore_file(file, arguments, progress);
}

/// What all explorations of a call come to.
struct Explorations {
  bool any_bad_input = false;
  bool any_unkept = false;
};

/// In the results a story that a signal stopped has not held; in its line it has so far, and other
/// commands continue from that.
void add_entry(ReportEntry entry, bool is_stopped, std::size_t schedules, Report& report) {
  report.add_detail(entry);
  if (is_stopped && !entry.failed()) {
    entry.held = false;
    entry.kind = ReportEntry::kStopped;
    entry.sentence =
        fmt::format("a signal came after {} of {} schedules", entry.executions, schedules);
  }
  report.add_result(std::move(entry));
}

void add_explored(const Explored& explored, const ExploreArguments& arguments, Report& report) {
  const CampaignRecord& record = explored.record;
  add_entry(explored.bad_input ? record.entry : record.as_entry(), explored.stopped_by_signal,
            record.schedules, report);
  for (const ReportEntry& each :
       arguments.continues ? failure_entries(explored) : std::vector<ReportEntry>()) {
    report.add_detail(each);
  }
  forget_when_reported(explored.finished_file);
}

Explorations explore_all(const std::vector<CatalogueEntry>& all, ExploreArguments arguments,
                         Report& report, Console& console) {
  arguments.names_one = all.size() == 1;
  FolderProgress folder(arguments, all);
  const std::vector<CatalogueEntry> files =
      arguments.names_one ? all : files_left(all, folder, report, console);
  const std::size_t files_at_once = arguments.names_one ? 1 : arguments.jobs;
  arguments.jobs = arguments.names_one ? arguments.jobs : 1;  // the files share the jobs instead
  Console* progress = files_at_once == 1 ? &console : nullptr;
  Explorations whole;
  in_parallel<Explored>(
      files.size(), files_at_once,
      [&](std::size_t i) {
        if (arguments.names_one) {
          return explore_file(files[i], arguments, progress);
        }
        ExploreArguments one = arguments;
        one.among = fmt::format("{} of {} scenarios, ", i, files.size());
        return explore_one_of(files[i], std::move(one), folder, progress);
      },
      [&](std::size_t i, const Explored& explored) {
        folder.add(files[i].path, explored);
        if (explored.has_not_begun) {
          add_unplayed(report, {files[i]}, 0);
        } else {
          whole.any_bad_input = whole.any_bad_input || explored.bad_input;
          whole.any_unkept = whole.any_unkept || !explored.problem.empty();
          print_explored(explored, files[i], arguments, console);
          add_explored(explored, arguments, report);
        }
        if (i + 1 < files.size()) {
          console.progress(fmt::format("{} of {} scenarios explored", i + 1, files.size()));
        }
      });
  if (!arguments.names_one && Interrupt::requested()) {
    const bool is_kept = folder.report_rest(all.size(), report, console);
    whole.any_unkept = whole.any_unkept || !is_kept;
  } else if (!arguments.names_one) {
    folder.forget();
  }
  return whole;
}

int explore(const ExploreArguments& given, Console& console) {
  Report report(given.common, "explore", Report::Lines::Sealed);
  check(given);
  const Interrupt interrupt;  // from before the files are read
  note_museum("explore", given.names, console);
  const std::vector<CatalogueEntry> files = load_played("explore", given.names, console);
  if (files.size() == 1 && given.from > 0 && !given.resume.empty()) {
    throw std::invalid_argument("--from and --resume do not go together");
  }
  const Explorations whole = explore_all(files, given, report, console);
  const bool is_written = report.write(console);
  if (whole.any_bad_input || files.empty()) {
    return kExitUsage;
  }
  if (Interrupt::requested()) {
    return whole.any_unkept ? kExitFound : kExitInterrupted;
  }
  if (report.failed() == 0 && report.unplayed() > 0) {
    console.report_error(fmt::format("watchlab explore: {} of {} scenarios were not played",
                                     report.unplayed(), files.size()));
    return kExitUsage;
  }
  return report.failed() > 0 || whole.any_unkept || !is_written ? kExitFound : kExitHeld;
}

constexpr const char* kFooter =
    "Ctrl-C, SIGTERM and SIGHUP print the results so far and a line that continues all "
    "scenarios; the exit status is then 130. Progress is saved every 30 s and at each new "
    "failure, so --resume also continues what was killed. A continued exploration reports the "
    "whole, as if it had never stopped.\n"
    "The strategies dfs and dpor cannot be continued or split into shards: they start over.\n"
    "If the time is too short to play even one schedule of a scenario, the exit status is 2.\n"
    "With --continue, a failing run ends where it fails, and nothing after that is checked. Two "
    "failures count as the same if their kind, their text without numbers, and their lines are "
    "the same.\n"
    "Examples:\n"
    "  watchlab explore missed_delete --strategy random --schedules 1000\n"
    "  watchlab explore scenarios --schedules 1000 --jobs 2\n"
    "  watchlab explore slow_handler --strategy pct --time 30s --jobs 2\n"
    "  watchlab explore slow_handler --until-unseen 0.5% --schedules 1000000 --jobs 2\n"
    "  watchlab explore slow_handler --shard 0/4 --json > part0.jsonl\n"
    "  watchlab explore my_race.yaml --continue --schedules 10000";

struct MergeArguments {
  CommonOptions common;
  std::vector<std::string> files;
};

/// Reads the lines of one file, or of standard input. Throws `std::invalid_argument` that says
/// where.
void read(const std::string& path, std::vector<CampaignRecord>& parts) {
  std::istringstream in(path == "-" ? std::string(std::istreambuf_iterator<char>(std::cin), {})
                                    : read_input(path));
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string::npos) {
      continue;
    }
    try {
      if (std::optional<CampaignRecord> part = CampaignRecord::from_line(line)) {
        parts.push_back(*std::move(part));
      }
    } catch (const std::invalid_argument& refused) {
      throw std::invalid_argument(
          fmt::format("{}:{}: {}", visible_line(path), number, refused.what()));
    }
  }
}

/// Removes what another part covers: a job that was repeated has its line twice, the first time
/// perhaps with fewer runs. Returns how many.
std::size_t drop_repeated(std::vector<CampaignRecord>& parts) {
  const std::size_t before = parts.size();
  for (std::size_t i = 0; i < parts.size();) {
    bool covered = false;
    for (std::size_t other = 0; other < parts.size() && !covered; ++other) {
      covered = other != i && parts[other].covers(parts[i]) &&
                parts[other].is_same_campaign(parts[i]) &&
                (other < i || !parts[i].covers(parts[other]));
    }
    if (covered) {
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
  return before - parts.size();
}

/// One record a campaign, in the order of their first line.
std::vector<CampaignRecord> put_together(const std::vector<CampaignRecord>& parts) {
  std::vector<CampaignRecord> records;
  for (const CampaignRecord& part : parts) {
    const auto found = std::ranges::find_if(
        records, [&](const CampaignRecord& record) { return record.is_same_campaign(part); });
    if (found == records.end()) {
      records.push_back(part);
    } else {
      found->merge(part);
    }
  }
  return records;
}

void print(const CampaignRecord& record, Console& console) {
  const ReportEntry& entry = record.entry;
  const std::size_t parts = record.parts.size();
  const std::string played =
      fmt::format("{} schedules in {} part{}", entry.executions, parts, parts == 1 ? "" : "s");
  if (entry.failed()) {
    console.remark(
        Console::bad("FAIL") +
        fmt::format("  {}, {}; the first failure is in schedule {}\n{}: {}\nreplay it: {}",
                    entry.name, played, record.failing_run + 1, entry.kind, entry.sentence,
                    entry.command));
  } else {
    console.note_row({.mark = record.is_stopped() ? "stopped"
                              : entry.held        ? Console::good("held")
                                                  : "not played",
                      .name = entry.name,
                      .width = 40,
                      .facts = played});
  }
  console.note("      " + progress_text(record.as_result(), entry.seconds));
  if (record.is_interrupted()) {
    console.note("      stopped before all schedules were played");
  }
  if (!record.missing().empty()) {
    console.report_error(
        fmt::format("{}: nothing was received from shard {}", entry.path, record.missing()));
  }
}

int merge(const MergeArguments& arguments, Console& console) {
  std::vector<CampaignRecord> parts;
  for (const std::string& path : arguments.files) {
    read(path, parts);
  }
  const std::size_t repeated = drop_repeated(parts);
  const std::vector<CampaignRecord> records = put_together(parts);
  if (records.empty()) {
    throw std::invalid_argument("there is no line of an exploration in these files");
  }
  if (repeated > 0) {
    console.note(fmt::format("{} of the parts came twice and count once", repeated));
  }
  Report report(arguments.common, "merge", Report::Lines::Sealed);
  bool whole = true;
  for (const CampaignRecord& record : records) {
    print(record, console);
    add_entry(record.as_entry(), record.is_stopped(), record.schedules, report);
    whole = whole && record.missing().empty();
  }
  if (!report.write(console)) {
    return kExitFound;
  }
  return report.failed() + report.unplayed() > 0 || !whole ? kExitFound : kExitHeld;
}

Command merge_command() {
  return command<MergeArguments>(
      {.name = "merge",
       .summary = "Merges the results of the shards of an exploration.",
       .footer = "You can merge the output of merge --json again. A line that comes twice, "
                 "because a job was repeated, counts once. The exit status is 1 if there is a "
                 "failure, a shard is missing, or a signal stopped one and its continuation "
                 "is missing.\n"
                 "Examples:\n"
                 "  watchlab merge part0.jsonl part1.jsonl\n"
                 "  cat parts/*.jsonl | watchlab merge - --json > whole.jsonl",
       .shares = {.json = true, .junit = true, .quiet = true},
       .arguments = [](MergeArguments& to) -> std::vector<Argument> {
         return {{.name = "FILE",
                  .target = &to.files,
                  .help = "Files written by explore --json; - is standard input",
                  .required = true}};
       },
       .run = refusing("merge", merge)});
}

}  // namespace

std::vector<Command> explore_commands() {
  return {
      command<ExploreArguments>(
          {.name = "explore",
           .group = "Find",
           .summary = "Plays a story under many schedules until one fails.",
           .footer = kFooter,
           .shares = {.json = true, .junit = true, .quiet = true, .allow_run = true},
           .heeds_signals = true,
           .arguments = [](ExploreArguments& to) -> std::vector<Argument> {
             return {
                 {.name = "FILE",
                  .target = &to.names,
                  .help = "Scenarios by path or name, or folders",
                  .required = true},
                 {.name = "--strategy",
                  .target = &to.strategy,
                  .help = "How to choose schedules",
                  .one_of = names_of(sim::strategy_catalogue())},
                 {.name = "--schedules,-n",
                  .target = &to.schedules,
                  .help =
                      "Maximum number of schedules; default: the file's, or 1000; unlimited with "
                      "--time",
                  .least = 1},
                 {"--seed", &to.seed, "Seed of the strategy and of all random draws"},
                 {.name = "--preemptions",
                  .target = &to.preemptions,
                  .help = "How often a running task may be preempted; default: no bound",
                  .least = 0},
                 {.name = "--early-advances",
                  .target = &to.early_advances,
                  .help = "How often time may jump while tasks are ready; default: as the file "
                          "says, or 0",
                  .least = 0},
                 {"--memory", &to.memory, "Refused: weak memory is for C++ programs only"},
                 {.name = "--pct-depth",
                  .target = &to.pct_depth,
                  .help = "The depth of strategy pct",
                  .least = 1},
                 {"--time", &to.time, "Stops each scenario after this time, such as 30s"},
                 one_transport_argument(to.transport),
                 one_machine_argument(to.machine),
                 jobs_argument(to.jobs,
                               "Cores for the runs of one scenario (dfs and dpor use one), or for "
                               "several scenarios"),
                 {.name = "--shard",
                  .target = &to.shard,
                  .help =
                      "Plays only this part of the runs, such as 0/4 to 3/4; join the parts with "
                      "watchlab merge",
                  .type_name = "I/N"},
                 {"--from", &to.from, "Skips this many schedules, to continue a campaign"},
                 resume_argument(to.resume, "an exploration"),
                 save_every_argument(to.save_every),
                 {"--continue", &to.continues,
                  "Goes on after a failure, and lists the distinct failures with their count and "
                  "first schedule; with --json one line each"},
                 {.name = "--until-unseen",
                  .target = &to.until_unseen,
                  .help = "Stops when the probability that the next run shows something new falls "
                          "below P, such as 0.1%",
                  .type_name = "P"}};
           },
           .run = refusing("explore", explore)}),
      merge_command()};
}

}  // namespace watchlab::scenarios
