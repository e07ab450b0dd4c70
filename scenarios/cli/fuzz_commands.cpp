#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/features/release_profile.hpp"
#include "scenarios/cli/commands.hpp"
#include "scenarios/cli/fuzz_campaign.hpp"
#include "scenarios/cli/pasted_line.hpp"
#include "scenarios/cli/report.hpp"
#include "scenarios/cli/resume_file.hpp"
#include "scenarios/cli/scenario_command.hpp"
#include "scenarios/cli/transcript_file.hpp"
#include "scenarios/command_line/console.hpp"
#include "scenarios/command_line/interrupt.hpp"
#include "scenarios/fuzz/fuzz_run.hpp"
#include "scenarios/fuzz/known_live.hpp"
#include "scenarios/fuzz/story_generator.hpp"
#include "scenarios/fuzz/swarm_faults.hpp"
#include "scenarios/language/parse.hpp"

namespace watchlab::scenarios {
namespace {

/// What is known of the behaviour that a patch fixes.
KnownLive known_by(const std::string& fix) {
  const auto& catalogue = known_live_catalogue();
  const auto found = std::ranges::find(catalogue, fix, &KnownLive::fix);
  return found == catalogue.end() ? KnownLive{} : *found;
}

void report_finding(const std::string& signature, const FuzzFinding& finding, bool as_json,
                    Console& console) {
  const std::uint64_t seed = finding.first.seed;
  const bool is_known = !finding.fix().empty();
  const std::string& sentence =
      finding.sentence.empty() ? finding.first.what.failure.sentence : finding.sentence;
  if (as_json) {
    boost::json::object line{
        {"signature", signature}, {"seed", seed}, {"stories", finding.stories}};
    if (!finding.first.machine.empty()) {
      line["machine"] = finding.first.machine;
    }
    if (is_known) {
      line["known"] = known_by(finding.fix()).fix;
    } else {
      line["sentence"] = sentence;
      line["file"] = finding.file;
    }
    print_json(line, console);
  } else if (is_known) {
    const KnownLive known = known_by(finding.fix());
    console.note(
        fmt::format("KNOWN  {}: {} stories, first {}\n  {}: docs/known_live.md, fixed by {}",
                    signature, finding.stories, seed, known.behaviour, known.fix));
  } else {
    console.remark(
        Console::bad("FOUND") +
        fmt::format("  {}: {} stories, first {}{}\n  {}{}", signature, finding.stories, seed,
                    finding.first.machine.empty() ? "" : " on the machine " + finding.first.machine,
                    sentence.substr(0, sentence.find('\n')), finding.shrunk));
  }
}

void report_coverage(const FaultCoverage& coverage, bool as_json, Console& console) {
  std::vector<std::string_view> faults = swarm_fault_names();
  for (const std::string_view fault : wire_fault_names()) {
    faults.push_back(fault);
  }
  const std::size_t all =
      faults.size() * FaultCoverage::kReflectorStates * FaultCoverage::kQueueStates;
  console.note(coverage.table(faults));
  const std::size_t hit = coverage.cells_hit(faults);
  if (as_json) {
    print_json({{"combinations_met", hit}, {"combinations", all}}, console);
  }
  console.note(
      fmt::format("{} of {} combinations of fault, reflector and queue were met", hit, all));
}

/// Says what was found.
void report_campaign(const FuzzArguments& arguments, const FuzzCampaign& campaign,
                     Console& console) {
  const bool as_json = arguments.common.json;
  for (const auto& [name, finding] : campaign.findings) {
    report_finding(name.first, finding, as_json, console);
  }
  if (arguments.coverage) {
    report_coverage(campaign.coverage, as_json, console);
  }
  if (as_json) {
    print_json({{"stories", campaign.stories},
                {"runs", campaign.runs},
                {"refused", campaign.refused},
                {"not_played", campaign.unplayed()},
                {"findings", campaign.unknown()},
                {"resume", campaign.resume},
                {"seconds", campaign.seconds}},
               console);
  }
  if (!campaign.earlier.empty()) {
    console.note("an earlier campaign had stopped; to continue with that:\n  " + campaign.earlier);
  }
  if (campaign.unplayed() > 0) {
    console.report_error(fmt::format("{} of {} stories were not played", campaign.unplayed(),
                                     campaign.seeds.size()));
  }
  if (campaign.refused > 0) {
    console.note(fmt::format(
        "{} of {} stories ended early and found nothing: the server refused what their own script "
        "wrote, as the program had written there before",
        campaign.refused, campaign.stories));
  }
  const PaintedText found =
      campaign.unknown() > 0
          ? Console::bad(fmt::format("{} different findings", campaign.unknown()))
          : Console::good(campaign.findings.empty() ? "nothing was found"
                                                    : "nothing was found that is not known");
  console.note(fmt::format("{} stories, {} runs in {:.1f} s, {:.0f} a second: ", campaign.stories,
                           campaign.runs, campaign.seconds,
                           static_cast<double>(campaign.runs) / std::max(campaign.seconds, 1e-9)) +
               found);
  if (!campaign.resume.empty()) {
    console.remark("stopped; to continue:\n  " + campaign.resume);
  }
}

/// What the campaign comes to, as CI servers read it: an entry a finding, and one of all stories.
bool write_junit(const FuzzArguments& arguments, const FuzzCampaign& campaign, Console& console) {
  Report report({.junit = arguments.common.junit}, "fuzz");
  for (const auto& [name, finding] : campaign.findings) {
    const bool is_known = !finding.fix().empty();
    report.add({.name = name.first,
                .path = finding.file,
                .held = is_known,
                .kind = is_known ? "" : finding.first.what.failure.kind,
                .sentence = is_known                   ? ""
                            : finding.sentence.empty() ? finding.first.what.failure.sentence
                                                       : finding.sentence,
                .command = finding.file.empty() ? "" : run_line(finding.file)});
  }
  const bool is_stopped = campaign.interrupted && Interrupt::requested();
  const bool any = campaign.stories > 0 && !is_stopped;
  report.add({.name = "stories " + arguments.seed_range(),
              .held = any,
              .kind = any          ? ""
                      : is_stopped ? ReportEntry::kStopped
                                   : ReportEntry::kNotPlayed,
              .sentence = is_stopped ? fmt::format("a signal came after {} of {} stories",
                                                   campaign.stories, campaign.seeds.size())
                                     : "",
              .executions = campaign.runs,
              .seconds = campaign.seconds});
  return report.write(console);
}

/// How the program ends. The file that says where it stood goes when all is reported.
int end_of(const FuzzCampaign& campaign, Console& console) {
  if (!campaign.problem.empty()) {
    console.report_error("watchlab fuzz: " +
                         unkept_text(campaign.problem, !campaign.interrupted, campaign.resume));
    if (!campaign.again.empty()) {
      console.remark("stopped; to continue, from the beginning:\n  " + campaign.again);
    }
  }
  if (!campaign.unwritten.empty()) {
    console.report_error(fmt::format(
        "watchlab fuzz: {}; what was found is printed without its file", campaign.unwritten));
  }
  if (Interrupt::requested()) {
    return campaign.problem.empty() ? kExitInterrupted : kExitFound;
  }
  if (campaign.stories == 0 && campaign.unplayed() > 0) {
    console.report_error("watchlab fuzz: time was over before the first story was played");
    return kExitUsage;
  }
  forget_when_reported(campaign.own_file);
  return campaign.unknown() == 0 && campaign.problem.empty() ? kExitHeld : kExitFound;
}

/// Throws `std::invalid_argument` for an option about playing.
void refuse_unused_by_show(const FuzzArguments& given) {
  const FuzzArguments plain;
  const std::pair<bool, std::string_view> options[] = {
      {given.common.json, "--json"},
      {!given.common.junit.empty(), "--junit"},
      {given.common.quiet, "--quiet"},
      {given.coverage, "--coverage"},
      {given.first, "--first"},
      {given.keep_large, "--keep-large"},
      {given.strict, "--strict"},
      {given.is_long, "--long"},
      {!given.kept.empty(), "--kept"},
      {!given.resume.empty(), "--resume"},
      {!given.out.empty(), "--out"},
      {given.schedules.has_value(), "--schedules"},
      {given.seeds != plain.seeds, "--seeds"},
      {given.shard != plain.shard, "--shard"},
      {given.jobs != plain.jobs, "--jobs"},
      {!given.machines.empty(), "--machine"},
      {given.save_every != plain.save_every, "--save-every"},
      {given.time.count() > 0, "--time"}};
  for (const auto& [is_given, option] : options) {
    refuse_unused(is_given, option, "--show prints a story and plays nothing");
  }
}

int fuzz(const FuzzArguments& arguments, Console& console) {
  if (!arguments.show.empty()) {
    const auto seed = seed_range(arguments.show + ".." + arguments.show);
    if (!seed) {
      throw std::invalid_argument("--show takes a seed");
    }
    refuse_unused_by_show(arguments);
    end_when_stopped();
    console.line(scenario_text(fuzz_story_of(arguments, seed->first)));
    return kExitHeld;
  }
  refuse_unused(arguments.is_long && arguments.seeds != FuzzArguments().seeds, "--seeds",
                "--long plays the seeds 1..100000");
  refuse_unused(arguments.keep_large && !arguments.out.empty(), "--out",
                "--keep-large writes no files");
  const Interrupt interrupt;
  const FuzzCampaign campaign = play_campaign(arguments, console);
  report_campaign(arguments, campaign, console);
  const bool is_written = write_junit(arguments, campaign, console);
  const int status = end_of(campaign, console);
  return is_written || status != kExitHeld ? status : kExitFound;
}

/// How a blank story fails by itself, if it does. What is wrong with it in good weather is wrong in
/// each story around it, and would be found again and again.
std::optional<sim::Failure> failure_alone(const Scenario& blank, Console& console) {
  const FuzzRun alone = fuzz_story(blank, 0, {.schedules = 0});
  std::optional<sim::Failure> failure =
      alone.found ? std::optional(alone.found->failure) : alone.own_refusal;
  if (failure) {
    const std::string& sentence = failure->sentence;
    console.report_error(fmt::format(
        "watchlab fuzz: {} fails even without faults, so every story built on it would fail too:\n"
        "  {}\nto look at it:\n  {}",
        blank.path, sentence.substr(0, sentence.find('\n')), line_to_paste("run", blank)));
  }
  return failure;
}

/// The same around the blank story that was named, if one was.
int fuzz_named(const FuzzArguments& arguments, Console& console) {
  if (arguments.client.empty() != arguments.story.empty()) {
    throw std::invalid_argument("--client go and a story go together: fuzz --client go STORY");
  }
  if (arguments.story.empty()) {
    return fuzz(arguments, console);
  }
  if (!arguments.machines.empty()) {
    throw std::invalid_argument("--machine is about our own clients, and not with --client go");
  }
  Report report(arguments.common, "fuzz");
  return with_scenario(report, arguments.story, console, [&](const Scenario& blank) {
    FuzzArguments around = arguments;
    around.blank = blank;
    if (around.show.empty() && !Interrupt::requested()) {
      if (const std::optional<sim::Failure> failure = failure_alone(blank, console)) {
        report.add({.name = display_name(blank.path),
                    .path = blank.path,
                    .held = false,
                    .kind = failure->kind,
                    .sentence = failure->sentence,
                    .command = line_to_paste("run", blank)});
        (void)report.write(console);  // the exit status says already that something was found
        return kExitFound;
      }
    }
    return fuzz(around, console);
  });
}

}  // namespace

std::vector<Command> fuzz_commands() {
  return {command<FuzzArguments>(
      {.name = "fuzz",
       .group = "Find",
       .summary = "Plays random stories with faults and checks the invariants.",
       .footer =
           "Each story heals all of its faults, and must then become quiet and correct within "
           "half an hour of virtual time. A failing story is shrunk and written as a scenario.\n"
           "A failure that client-go has too (docs/known_live.md) is named, but does not "
           "count.\n"
           "Ctrl-C prints and keeps what was found, and prints a line that continues; the exit "
           "status is then 130. --resume also continues what was killed.\n"
           "Examples:\n"
           "  watchlab fuzz\n"
           "  watchlab fuzz --seeds 1..100000 --jobs 2 --time 10m\n"
           "  watchlab fuzz --seeds 1..500 --coverage\n"
           "  watchlab fuzz --show 17 > story_17.yaml\n"
           "  watchlab fuzz --client go my_story.yaml --first",
       .shares = {.json = true, .junit = true, .quiet = true, .allow_run = true},
       .heeds_signals = true,
       .arguments = [](FuzzArguments& to) -> std::vector<Argument> {
         return {
             {.name = "--seeds",
              .target = &to.seeds,
              .help = "Which stories; default 1..2000",
              .type_name = "A..B"},
             {"--long", &to.is_long, "The seeds 1..100000"},
             {"--kept", &to.kept,
              "A file of seeds that once found something; they are played first"},
             {.name = "--schedules,-n",
              .target = &to.schedules,
              .help = "Random schedules per story, besides the default order; default 3, with "
                      "--client 0",
              .least = 0},
             jobs_argument(to.jobs, "How many stories to play at the same time"),
             {.name = "--shard",
              .target = &to.shard,
              .help = "Plays only seeds whose remainder is I when divided by N",
              .type_name = "I/N"},
             {"--time", &to.time, "Stops after this time, such as 30s"},
             resume_argument(to.resume, "a call"),
             save_every_argument(to.save_every),
             {"--first", &to.first, "Stops at the first finding"},
             {.name = "--out,-o",
              .target = &to.out,
              .help = "The folder for failing scenarios; default fuzz-found, with --client the "
                      "folder of STORY",
              .is_output_folder = true},
             {"--keep-large", &to.keep_large, "Does not shrink findings and writes no files"},
             {"--strict", &to.strict, "Also counts known bugs of client-go as findings"},
             {"--coverage", &to.coverage,
              "Shows which faults hit which states of reflectors and queues"},
             {.name = "--machine",
              .target = &to.machines,
              .help =
                  "Plays every story with clients like these releases of client-go, separated by "
                  "commas, or all: " +
                  one_of(features::machine_names()),
              .type_name = "NAME[,NAME…]"},
             {.name = "--client",
              .target = &to.client,
              .help = "Draws stories around STORY, to test its client of this kind",
              .one_of = {"go"}},
             {"STORY", &to.story,
              "A story without faults: what a user does, and what must be true afterwards"},
             {"--show", &to.show, "Prints the story of a seed as a scenario, without playing it"}};
       },
       .run = refusing("fuzz", fuzz_named)})};
}

}  // namespace watchlab::scenarios
