#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/cli/commands.hpp"
#include "scenarios/cli/in_parallel.hpp"
#include "scenarios/cli/report.hpp"
#include "scenarios/cli/transcript_file.hpp"
#include "scenarios/command_line/interrupt.hpp"

namespace watchlab::scenarios {
namespace {

struct DigestArguments {
  CommonOptions common;
  std::vector<std::string> paths;
  std::size_t jobs = 1;
};

ReportEntry digest_of(const CatalogueEntry& file) {
  std::string problem = problem_text(file);
  try {
    if (file.parsed.scenario) {
      return entry_for(*file.parsed.scenario, run_scenario(*file.parsed.scenario));
    }
  } catch (const sim::InvalidSchedule& failure) {
    problem = failure.what();
  }
  return {.path = file.path, .held = false, .kind = "input", .sentence = std::move(problem)};
}

int digest(const DigestArguments& arguments, Console& console) {
  Report report(arguments.common, "digest");
  const Interrupt interrupt;  // from before the files are read
  const std::vector<CatalogueEntry> files = load_played("digest", arguments.paths, console);
  if (files.empty()) {
    console.report_error("watchlab digest: there is no .yaml file in what was named");
    return kExitUsage;
  }
  int exit_code = kExitHeld;
  std::size_t played = 0;
  in_parallel<ReportEntry>(
      files.size(), arguments.jobs,
      [&](std::size_t i) {
        return Interrupt::requested() ? std::nullopt : std::optional(digest_of(files[i]));
      },
      [&](std::size_t i, const ReportEntry& entry) {
        ++played;
        report.add(entry);
        if (entry.kind == "input" || entry.kind == "divergence") {
          console.report_error(entry.sentence);
          exit_code = entry.kind == "input" ? kExitUsage : std::max(exit_code, kExitFound);
        } else if (!arguments.common.json) {
          console.row({.mark = entry.digest, .name = entry.name});
        }
        console.count(i + 1, files.size(), "stories");
      });
  if (Interrupt::requested() && played < files.size()) {
    remark_stopped("digest", files.size() - played, files.size(), console);
    return kExitInterrupted;
  }
  return exit_code;
}

struct TranscribeArguments {
  CommonOptions common;
  std::vector<std::string> paths;
  std::string stories;
  std::string fuzz;
  std::string shapes;
  std::string illegal;
  std::string machine = "classic";
  std::string out;
};

/// A kind of generated stories, and which of them.
struct Stories {
  std::string_view option;
  std::string seeds;
  StoryKind kind;
};

int transcribe_all(const TranscribeArguments& arguments, Console& console) {
  const std::array<Stories, 4> kinds{Stories{"--stories", arguments.stories, StoryKind::Legal},
                                     Stories{"--fuzz", arguments.fuzz, StoryKind::Fuzz},
                                     Stories{"--shapes", arguments.shapes, StoryKind::Shaped},
                                     Stories{"--illegal", arguments.illegal, StoryKind::Illegal}};
  bool nothing = arguments.paths.empty();
  for (const Stories& each : kinds) {
    if (!each.seeds.empty() && !seed_range(each.seeds)) {
      console.report_error(
          fmt::format("watchlab transcribe: {} takes seeds as in 1..300", each.option));
      return kExitUsage;
    }
    nothing = nothing && each.seeds.empty();
  }
  if (nothing) {
    console.report_error("watchlab transcribe: name scenario files, or --stories 1..300");
    return kExitUsage;
  }
  const std::vector<CatalogueEntry> files = load_played("transcribe", arguments.paths, console);
  if (files.empty() && !arguments.paths.empty()) {
    console.report_error("watchlab transcribe: there is no .yaml file in what was named");
    return kExitUsage;
  }
  TranscriptFile file(arguments.out, console, arguments.machine);
  file.add_scenarios(files);
  for (const Stories& each : kinds) {
    if (const auto range = seed_range(each.seeds)) {
      file.add_stories(each.kind, *range);
    }
  }
  return file.finish();
}

}  // namespace

std::vector<Command> record_commands() {
  return {
      command<DigestArguments>(
          {.name = "digest",
           .summary = "Prints a hash of everything that happened in each story.",
           .footer =
               "Two builds that print the same lines played the same runs, decision by decision.\n"
               "Examples:\n  watchlab digest scenarios\n"
               "  diff <(watchlab digest scenarios) expected.txt",
           .shares = {.json = true, .allow_run = true},
           .heeds_signals = true,
           .arguments = [](DigestArguments& to) -> std::vector<Argument> {
             return {paths_argument(to.paths),
                     jobs_argument(to.jobs, "How many files to play at the same time")};
           },
           .run = digest}),
      command<TranscribeArguments>(
          {.name = "transcribe",
           .summary = "Exports runs as JSON Lines, for replay against another client.",
           .footer = "docs/conformance.md uses them to compare watchlab with the real "
                     "client-go.\n"
                     "Examples:\n"
                     "  watchlab transcribe scenarios -o transcripts.jsonl\n"
                     "  watchlab transcribe --stories 1..300 -o stories.jsonl\n"
                     "  watchlab transcribe --stories 1..300 --machine 0.35 -o stories.jsonl",
           .shares = {.quiet = true, .allow_run = true},
           .heeds_signals = true,
           .arguments = [](TranscribeArguments& to) -> std::vector<Argument> {
             return {
                 {"PATH", &to.paths, "Scenario files, or folders of them"},
                 {"--stories", &to.stories, "Seeds A..B of generated stories with legal faults"},
                 {"--fuzz", &to.fuzz, "Seeds A..B of the stories of watchlab fuzz"},
                 {"--shapes", &to.shapes, "Seeds A..B of stories that are about one thing each"},
                 {"--illegal", &to.illegal, "Seeds A..B of stories with illegal faults"},
                 one_machine_argument(to.machine),
                 {.name = "--out,-o",
                  .target = &to.out,
                  .help = "The output file; - for standard output",
                  .required = true,
                  .is_output = true,
                  .may_be_standard_output = true}};
           },
           .run = transcribe_all})};
}

}  // namespace watchlab::scenarios
