#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <system_error>

#include "scenarios/cli/commands.hpp"
#include "scenarios/cli/fuzz_campaign.hpp"
#include "scenarios/cli/interrupt.hpp"
#include "scenarios/cli/state_folder.hpp"
#include "scenarios/cli/transcript_file.hpp"
#include "scenarios/fuzz/swarm_story.hpp"
#include "scenarios/language/scenario_text.hpp"
#include "scenarios/language/values.hpp"

namespace watchlab::scenarios {
namespace {

/// How the program ends. The file that says where it stood goes when all has been told.
int end_of(const FuzzCampaign& campaign, Console& console) {
  if (!campaign.problem.empty()) {
    console.complain("watchlab fuzz: " +
                     unkept_text(campaign.problem, !campaign.interrupted, campaign.resume));
  }
  if (!campaign.unwritten.empty()) {
    console.complain(fmt::format("watchlab fuzz: {}; what was found is told without its file",
                                 campaign.unwritten));
  }
  if (Interrupt::requested()) {
    return campaign.problem.empty() ? exit_interrupted : exit_found;
  }
  if (campaign.stories == 0 && campaign.unplayed() > 0) {
    console.complain("watchlab fuzz: time was over before the first story was played");
    return exit_usage;
  }
  if (!campaign.own_file.empty() && flush_standard_output().empty()) {
    std::error_code failure;
    std::filesystem::remove(campaign.own_file, failure);
  }
  return campaign.unknown() == 0 && campaign.problem.empty() ? exit_held : exit_found;
}

int fuzz(const FuzzArguments& arguments) {
  Console console(arguments.common);
  try {
    if (!arguments.show.empty()) {
      const auto seed = seed_range(arguments.show + ".." + arguments.show);
      if (!seed) {
        throw std::invalid_argument("--show takes a seed");
      }
      console.line(scenario_text(swarm_story(seed->first)));
      return exit_held;
    }
    const Interrupt interrupt;
    const FuzzCampaign campaign = play_campaign(arguments, console);
    report_campaign(arguments, campaign, console);
    return end_of(campaign, console);
  } catch (const std::invalid_argument& refused) {
    console.complain(fmt::format("watchlab fuzz: {}", refused.what()));
    return exit_usage;
  }
}

}  // namespace

Command fuzz_command() {
  auto arguments = std::make_shared<FuzzArguments>();
  return {
      .name = "fuzz",
      .summary = "Plays random stories with random legal faults and looks at the invariants.",
      .footer =
          "Each story heals all its faults, and must then become quiet and right within half an\n"
          "hour of virtual time. What fails is made small and written as a scenario that fails.\n"
          "What only shows a behaviour that the original has too (docs/known_live.md) is named, "
          "and\n"
          "does not count.\n"
          "A signal (Ctrl-C) tells and keeps what was found and prints the line that goes on; the "
          "exit\nstatus is 130 then. What was killed goes on with --resume as well.\n"
          "Examples:\n  watchlab fuzz\n  watchlab fuzz --seeds 1..100000 --jobs 2 --time 10m\n"
          "  watchlab fuzz --seeds 1..500 --coverage\n  watchlab fuzz --show 17 > story_17.yaml",
      .arguments = with_common_options(
          {{.name = "--seeds",
            .target = &arguments->seeds,
            .help = "Which stories, A..B; 1..2000 if left out"},
           {.name = "--long", .target = &arguments->is_long, .help = "The seeds 1..100000"},
           {.name = "--kept",
            .target = &arguments->kept,
            .help = "A file of seeds that found something once; they are played first"},
           {.name = "--schedules,-n",
            .target = &arguments->schedules,
            .help = "Random schedules for each story, beside the undisturbed one; 3 if left out",
            .least = 0},
           {.name = "--jobs,-j",
            .target = &arguments->jobs,
            .help = "Stories played at the same time",
            .least = 1,
            .most = 1024},
           {.name = "--shard",
            .target = &arguments->shard,
            .help = "Only the seeds that leave I when divided by N, as I/N"},
           {.name = "--time",
            .target = &arguments->time,
            .help = "Stops after that time, like 30s"},
           {.name = "--resume",
            .target = &arguments->resume,
            .help = "Goes on from the file that a call with the same options has left",
            .type_name = "FILE"},
           {.name = "--save-every",
            .target = &arguments->save_every,
            .help = "How often it writes down where it stands; 30s if left out"},
           {.name = "--first", .target = &arguments->first, .help = "Stops at the first finding"},
           {.name = "--out,-o",
            .target = &arguments->out,
            .help = "The folder for scenarios that fail; fuzz-found if left out"},
           {.name = "--keep-large",
            .target = &arguments->keep_large,
            .help = "Makes nothing small and writes no files"},
           {.name = "--strict",
            .target = &arguments->strict,
            .help = "Known behaviours of the original count as findings too"},
           {.name = "--coverage",
            .target = &arguments->coverage,
            .help = "Shows which faults met which states of reflectors and queues"},
           {.name = "--show",
            .target = &arguments->show,
            .help = "Prints the story of a seed as a scenario, and plays nothing"}},
          arguments->common),
      .run = [arguments] { return fuzz(*arguments); }};
}

}  // namespace watchlab::scenarios
