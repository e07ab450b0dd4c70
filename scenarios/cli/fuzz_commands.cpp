#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/cli/commands.hpp"
#include "scenarios/cli/fuzz_campaign.hpp"
#include "scenarios/cli/interrupt.hpp"
#include "scenarios/cli/report.hpp"
#include "scenarios/cli/resume_file.hpp"
#include "scenarios/cli/transcript_file.hpp"
#include "scenarios/fuzz/known_live.hpp"
#include "scenarios/fuzz/swarm_faults.hpp"
#include "scenarios/fuzz/swarm_story.hpp"
#include "scenarios/fuzz/wire_story.hpp"
#include "scenarios/language/scenario_text.hpp"
#include "scenarios/language/values.hpp"

namespace watchlab::scenarios {
namespace {

/// What is known of the behaviour that a patch mends.
KnownLive known_by(const std::string& mend) {
  for (const KnownLive& known : known_live_catalogue()) {
    if (known.mend == mend) {
      return known;
    }
  }
  return {};
}

class CampaignReport {
 public:
  CampaignReport(const FuzzArguments& arguments, const FuzzCampaign& campaign, Console& console)
      : arguments_(arguments), campaign_(campaign), console_(console) {}

  void report_all() {
    const double seconds = campaign_.seconds;
    for (const auto& [name, finding] : campaign_.findings) {
      if (finding.mend().empty()) {
        report(name.first, finding);
      } else {
        report_known(name.first, finding);
      }
    }
    if (arguments_.coverage) {
      report_coverage();
    }
    if (arguments_.common.json) {
      console_.line(boost::json::serialize(boost::json::object{{"stories", campaign_.stories},
                                                               {"runs", campaign_.runs},
                                                               {"not_played", campaign_.unplayed()},
                                                               {"findings", campaign_.unknown()},
                                                               {"resume", campaign_.resume},
                                                               {"seconds", seconds}}));
    }
    if (!campaign_.earlier.empty()) {
      console_.remark("an earlier campaign had stopped; to go on with that:\n  " +
                      campaign_.earlier);
    }
    if (campaign_.unplayed() > 0) {
      console_.complain(fmt::format("{} of {} stories were not played", campaign_.unplayed(),
                                    campaign_.seeds.size()));
    }
    console_.remark(fmt::format(
        "{} stories, {} runs in {:.1f} s, {:.0f} a second: {}", campaign_.stories, campaign_.runs,
        seconds, static_cast<double>(campaign_.runs) / std::max(seconds, 1e-9),
        campaign_.unknown() > 0
            ? fmt::format("{} different findings", campaign_.unknown())
            : fmt::format("nothing was found{}",
                          campaign_.findings.empty() ? "" : " that is not known")));
    if (!campaign_.resume.empty()) {
      console_.remark("stopped; to go on:\n  " + campaign_.resume);
    }
  }

  void report_known(const std::string& signature, const FuzzFinding& finding) {
    const std::uint64_t seed = finding.first.seed;
    const KnownLive known = known_by(finding.mend());
    if (arguments_.common.json) {
      console_.line(boost::json::serialize(boost::json::object{{"signature", signature},
                                                               {"seed", seed},
                                                               {"stories", finding.stories},
                                                               {"known", known.mend}}));
      return;
    }
    console_.remark(
        fmt::format("KNOWN  {}: {} stories, first {}\n  {}: docs/known_live.md, mended by {}",
                    signature, finding.stories, seed, known.behaviour, known.mend));
  }

 private:
  void report(const std::string& signature, const FuzzFinding& finding) {
    const std::uint64_t seed = finding.first.seed;
    const std::string& sentence =
        finding.sentence.empty() ? finding.first.what.failure.sentence : finding.sentence;
    if (arguments_.common.json) {
      console_.line(boost::json::serialize(boost::json::object{{"signature", signature},
                                                               {"seed", seed},
                                                               {"stories", finding.stories},
                                                               {"sentence", sentence},
                                                               {"file", finding.file}}));
      return;
    }
    console_.complain(fmt::format("{}  {}: {} stories, first {}\n  {}{}", console_.bad("FOUND"),
                                  signature, finding.stories, seed,
                                  sentence.substr(0, sentence.find('\n')), finding.shrunk));
  }

  void report_coverage() {
    std::vector<std::string_view> faults = swarm_fault_names();
    for (const std::string_view fault : wire_fault_names()) {
      faults.push_back(fault);
    }
    const std::size_t all =
        faults.size() * FaultCoverage::reflector_states * FaultCoverage::queue_states;
    console_.remark(campaign_.coverage.table(faults));
    const std::size_t met = campaign_.coverage.cells_met(faults);
    if (arguments_.common.json) {
      console_.line(boost::json::serialize(
          boost::json::object{{"combinations_met", met}, {"combinations", all}}));
    }
    console_.remark(
        fmt::format("{} of {} combinations of fault, reflector and queue were met", met, all));
  }

  const FuzzArguments& arguments_;
  const FuzzCampaign& campaign_;
  Console& console_;
};

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
  forget_when_told(campaign.own_file);
  return campaign.unknown() == 0 && campaign.problem.empty() ? exit_held : exit_found;
}

int fuzz(const FuzzArguments& arguments, Console& console) {
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
  CampaignReport(arguments, campaign, console).report_all();
  return end_of(campaign, console);
}

}  // namespace

std::vector<Command> fuzz_commands() {
  return {command<FuzzArguments>(
      {.name = "fuzz",
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
       .arguments = [](FuzzArguments& to) -> std::vector<Argument> {
         return {
             {"--seeds", &to.seeds, "Which stories, A..B; 1..2000 if left out"},
             {"--long", &to.is_long, "The seeds 1..100000"},
             {"--kept", &to.kept,
              "A file of seeds that found something once; they are played first"},
             {.name = "--schedules,-n",
              .target = &to.schedules,
              .help = "Random schedules for each story, beside the undisturbed one; 3 if left out",
              .least = 0},
             jobs_argument(to.jobs, "Stories played at the same time"),
             {"--shard", &to.shard, "Only the seeds that leave I when divided by N, as I/N"},
             {"--time", &to.time, "Stops after that time, like 30s"},
             resume_argument(to.resume, "a call"),
             save_every_argument(to.save_every),
             {"--first", &to.first, "Stops at the first finding"},
             {"--out,-o", &to.out, "The folder for scenarios that fail; fuzz-found if left out"},
             {"--keep-large", &to.keep_large, "Makes nothing small and writes no files"},
             {"--strict", &to.strict, "Known behaviours of the original count as findings too"},
             {"--coverage", &to.coverage,
              "Shows which faults met which states of reflectors and queues"},
             {"--show", &to.show, "Prints the story of a seed as a scenario, and plays nothing"}};
       },
       .run = refusing("fuzz", fuzz)})};
}

}  // namespace watchlab::scenarios
