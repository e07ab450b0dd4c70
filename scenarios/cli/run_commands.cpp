#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/cli/commands.hpp"
#include "scenarios/cli/in_parallel.hpp"
#include "scenarios/cli/pasted_line.hpp"
#include "scenarios/cli/report.hpp"
#include "scenarios/cli/transcript_file.hpp"
#include "scenarios/command_line/interrupt.hpp"
#include "scenarios/language/parse.hpp"
#include "scenarios/language/plain_text.hpp"
#include "scenarios/language/runner.hpp"
#include "sim/kernel/schedule.hpp"

namespace watchlab::scenarios {
namespace {

struct RunArguments {
  CommonOptions common;
  std::vector<std::string> paths;
  std::optional<std::size_t> seed;
  std::size_t jobs = 1;
  std::string transcript;  ///< a file to write; "" for none
  std::string transport;   ///< "" for the one that each file asks for
  std::string machine;     ///< of all clients; "" for those that each file asks for
  bool strict = false;     ///< a fault that never fired is a failure
};

/// What came of one file.
struct PlayedFile {
  ReportEntry entry;
  std::string happened;  ///< before it failed, some lines; "" of one that held
  sim::RunResult result;
  bool bad_input = false;
  std::vector<std::string> remarks = {};  ///< on what the scenario declares in vain
};

PlayedFile bad_input(const CatalogueEntry& file, std::string sentence) {
  return {.entry = bad_input_entry(file.path, std::move(sentence)), .bad_input = true};
}

/// Adds what differs between the transports to what came of a scenario that held, unless it needs
/// one of them.
void compare_transports_of(PlayedFile& played, const Scenario& scenario) {
  if (played.bad_input || !played.entry.held || !plays_on_both(scenario)) {
    return;
  }
  for (const std::string& difference : compare_transports(scenario)) {
    played.entry.held = false;
    played.entry.kind = "difference";
    played.entry.sentence += (played.entry.sentence.empty() ? "" : "\n") + difference;
  }
}

/// The scenario as the arguments want it played.
Scenario as_asked(Scenario scenario, const RunArguments& arguments) {
  if (arguments.seed) {
    scenario.explore.seed = static_cast<std::int64_t>(*arguments.seed);
  }
  if (!arguments.machine.empty()) {
    scenario = on_machine(arguments.machine, std::move(scenario));
  }
  return arguments.transport == "both" ? scenario
                                       : over_the_named(arguments.transport, std::move(scenario));
}

/// What keeps the scenario from being played as the arguments want; "" for nothing.
std::string unplayable(const Scenario& scenario) {
  for (const sim::StoryClientOptions& client : scenario.clients) {
    if (const std::string problem = machine_problem(client); !problem.empty()) {
      return problem;
    }
  }
  return "";
}

PlayedFile play_once(const CatalogueEntry& file, const Scenario& scenario, bool strict) {
  try {
    Played played = run_scenario(scenario);
    ReportEntry entry = entry_for(scenario, played);
    if (strict && entry.held && !entry.unfired_faults.empty()) {
      entry.held = false;
      entry.kind = "unfired fault";
      entry.sentence = fmt::format("{}", fmt::join(entry.unfired_faults, "\n"));
    }
    return {.entry = std::move(entry), .result = std::move(played.result)};
  } catch (const sim::InvalidSchedule& failure) {
    return bad_input(file, fmt::format("{}: {}", visible_line(file.path), failure.what()));
  }
}

/// The line that finds again what no schedule replays: a fault that never fired, a difference.
std::string run_again_line(const Scenario& scenario, const RunArguments& arguments) {
  std::string options = arguments.strict ? " --strict" : "";
  options += arguments.seed ? fmt::format(" --seed {}", *arguments.seed) : "";
  options += arguments.machine.empty() ? "" : " --machine " + arguments.machine;
  options += arguments.transport.empty() ? "" : " --transport " + arguments.transport;
  return line_to_paste("run", scenario, options.empty() ? "" : options.substr(1));
}

PlayedFile play_file(const CatalogueEntry& file, const RunArguments& arguments) {
  if (!file.parsed.scenario) {
    return bad_input(file, problem_text(file));
  }
  const Scenario scenario = as_asked(*file.parsed.scenario, arguments);
  if (const std::string problem = unplayable(scenario); !problem.empty()) {
    return bad_input(file, fmt::format("{}: {}", visible_line(file.path), problem));
  }
  if (std::string problem = unplayable_without_bytes(scenario); !problem.empty()) {
    return bad_input(file, std::move(problem));
  }
  const Stopwatch watch;
  PlayedFile played = play_once(file, scenario, arguments.strict);
  if (arguments.transport == "both") {
    compare_transports_of(played, scenario);
  }
  if (!played.bad_input) {
    played.entry.seconds = watch.seconds();
    played.remarks = remarks_on(scenario);
  }
  if (!played.entry.held && !played.bad_input && played.entry.command.empty()) {
    played.entry.command = run_again_line(scenario, arguments);
  }
  const bool is_slow = played.result.failure && played.result.failure->slow;
  if (!played.entry.held && !played.bad_input && !is_slow) {
    played.happened = events_before(scenario, played.result);
  }
  return played;
}

/// What the clients of a story print.
void print_prints(const sim::RunResult& result, Console& console) {
  for (const sim::NoteRecord& note : result.notes) {
    if (note.kind == "print") {
      console.note(fmt::format("      {} prints: {}", note.subject, note.text));
    }
  }
}

void print_outcome(const PlayedFile& outcome, Console& console) {
  const ReportEntry& entry = outcome.entry;
  if (outcome.bad_input) {
    console.report_error(entry.sentence);
  } else if (entry.held) {
    const double seconds =
        std::chrono::duration<double>(outcome.result.ended - outcome.result.started).count();
    console.note_row(
        {.mark = Console::good("held"),
         .name = entry.name,
         .width = 40,
         .facts = fmt::format("{:>6} steps, {:.1f}s of virtual time", entry.steps, seconds),
         .in_short = fmt::format("{:>6} steps, {:.1f}s", entry.steps, seconds)});
    print_prints(outcome.result, console);
    for (const std::string& fault : entry.unfired_faults) {
      console.note("      " + fault);
    }
  } else {
    console.remark(Console::bad("FAIL") + "  " + entry.name + "\n" +
                   failure_text(entry, outcome.result, {outcome.happened, ""}));
  }
  for (const std::string& remark : outcome.remarks) {
    console.note("      " + remark);
  }
}

std::string unfired_words(std::size_t faults) {
  return faults == 0   ? ""
         : faults == 1 ? "; 1 fault never fired"
                       : fmt::format("; {} faults never fired", faults);
}

/// Plays the files once more, for their transcripts. Returns the exit status.
int write_transcripts(const RunArguments& arguments, std::vector<CatalogueEntry> files,
                      Console& console) {
  for (CatalogueEntry& file : files) {
    if (file.parsed.scenario && arguments.seed) {
      file.parsed.scenario->explore.seed = static_cast<std::int64_t>(*arguments.seed);
    }
  }
  TranscriptFile transcripts(arguments.transcript, console);
  transcripts.add_scenarios(files);
  return transcripts.finish();
}

int run(const RunArguments& arguments, Console& console) {
  Report report(arguments.common, "run");
  if (!arguments.transcript.empty() && !arguments.transport.empty()) {
    console.report_error(
        "watchlab run: --transcript and --transport do not go together: clients live through the "
        "same on both transports, which --transport both checks");
    return kExitUsage;
  }
  if (!arguments.transcript.empty() && !arguments.machine.empty()) {
    console.report_error(
        "watchlab run: --transcript and --machine do not go together: transcripts are compared "
        "with the release that a file asks for");
    return kExitUsage;
  }
  const Interrupt interrupt;  // from before the files are read
  note_museum("run", arguments.paths, console);
  const std::vector<CatalogueEntry> files = load_played("run", arguments.paths, console);
  if (files.empty()) {
    console.report_error("watchlab run: there is no .yaml file in what was named");
    return kExitUsage;
  }
  const Stopwatch watch;
  std::size_t played = 0;
  std::size_t unreadable = 0;  // files, or what is none
  std::size_t unfired_faults = 0;
  console.progress(fmt::format("0 of {}: {}", files.size(), files.front().path));
  in_parallel<PlayedFile>(
      files.size(), arguments.jobs,
      [&](std::size_t i) {
        return Interrupt::requested() ? std::nullopt
                                      : std::optional(play_file(files[i], arguments));
      },
      [&](std::size_t i, const PlayedFile& outcome) {
        ++played;
        unreadable += outcome.bad_input ? 1 : 0;
        unfired_faults += outcome.entry.unfired_faults.size();
        print_outcome(outcome, console);
        report.add(outcome.entry);
        if (i + 1 < files.size()) {
          console.progress(fmt::format("{} of {}: {}", i + 1, files.size(), files[i + 1].path));
        }
      });
  add_unplayed(report, files, played);
  const std::size_t unplayed = unreadable + report.unplayed();
  console.note(fmt::format("{} held, {} failed{}, in {:.2f}s{}", report.held(),
                           report.failed() - unreadable,
                           unplayed > 0 ? fmt::format(", {} not played", unplayed) : "",
                           watch.seconds(), unfired_words(unfired_faults)));
  if (!arguments.machine.empty() && report.failed() > 0) {
    console.note(
        "what a file expects was written for the release that it names; docs/port_map.md says what "
        "the others do otherwise, docs/scenarios.md shows it");
  }
  const bool is_written = report.write(console);
  const bool is_whole = played == files.size() && report.failed() == 0;
  if (Interrupt::requested() && !is_whole) {
    remark_stopped("run", files.size() - played, files.size(), console);
    return kExitInterrupted;
  }
  const int transcribed =
      arguments.transcript.empty() ? kExitHeld : write_transcripts(arguments, files, console);
  if (unreadable > 0 || transcribed == kExitUsage) {
    return kExitUsage;
  }
  return report.failed() > 0 || !is_written || transcribed == kExitFound ? kExitFound : kExitHeld;
}

}  // namespace

std::vector<Command> run_commands() {
  return {command<RunArguments>(
      {.name = "run",
       .group = "Play",
       .summary = "Plays stories once each; clients may be programs in Go.",
       .footer = "In a checkout, --variant PATCH|SLUG plays a variant of the library: a patch, "
                 "or that of a museum piece.\n"
                 "Examples:\n"
                 "  watchlab run scenarios\n"
                 "  watchlab run missed_delete\n"
                 "  watchlab run my_story.yaml\n"
                 "  watchlab run scenarios --jobs 2 --junit results.xml\n"
                 "  watchlab run scenarios --strict\n"
                 "  watchlab run scenarios/disconnect --transport wire\n"
                 "  watchlab run scenarios/relist --machine 0.33\n"
                 "  watchlab run --transcript out.json missed_delete",
       .shares = {.json = true, .junit = true, .quiet = true, .allow_run = true},
       .heeds_signals = true,
       .arguments = [](RunArguments& to) -> std::vector<Argument> {
         return {
             paths_argument(to.paths),
             {"--seed", &to.seed, "Seed of the random draws; default: the file's"},
             {.name = "--transcript",
              .target = &to.transcript,
              .help = "Writes what the clients experienced in the default order, one JSON line "
                      "per file",
              .type_name = "FILE",
              .is_output = true},
             {.name = "--transport",
              .target = &to.transport,
              .help = "How messages travel: as values, as HTTP bytes, or both ways and compared; "
                      "default: as the file says",
              .one_of = {"direct", "wire", "both"}},
             one_machine_argument(to.machine),
             {"--strict", &to.strict, "Fails if a fault never fired"},
             jobs_argument(to.jobs, "How many files to play at the same time")};
       },
       .run = run})};
}

}  // namespace watchlab::scenarios
