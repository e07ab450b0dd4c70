#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <filesystem>
#include <stdexcept>

#include "scenarios/cli/failure_text.hpp"
#include "scenarios/cli/fuzz_campaign.hpp"
#include "scenarios/cli/transcript_file.hpp"
#include "scenarios/fuzz/known_live.hpp"
#include "scenarios/fuzz/story_shrinker.hpp"
#include "scenarios/fuzz/swarm_faults.hpp"
#include "scenarios/fuzz/swarm_story.hpp"
#include "scenarios/fuzz/wire_story.hpp"

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

}  // namespace

std::string make_small(const FuzzArguments& arguments, FuzzFinding& finding, Console& console) {
  if (arguments.keep_large) {
    return "";
  }
  const std::uint64_t seed = finding.first.seed;
  console.progress(fmt::format("making story {} small: {}", seed, finding.first.what.signature));
  const ShrunkStory story = shrink_story(swarm_story(seed), finding.first.what);
  const FoundFile file = file_of(story, seed);
  finding.file = fmt::format("{}/{}.yaml", arguments.out, file.name);
  std::error_code ignored;
  std::filesystem::create_directories(arguments.out, ignored);
  const std::string problem = write_file_synced(finding.file, file.text);
  finding.file = problem.empty() ? finding.file : "";
  finding.sentence = story.found.failure.sentence;
  finding.shrunk = fmt::format("\n  {} of {} actions are left, after {} runs\n  try: watchlab {}",
                               story.actions, story.actions_before, story.runs,
                               problem.empty() ? fmt::format("run {}", finding.file)
                                               : fmt::format("fuzz --seeds {0}..{0}", seed));
  return problem;
}

void report_campaign(const FuzzArguments& arguments, const FuzzCampaign& campaign,
                     Console& console) {
  CampaignReport(arguments, campaign, console).report_all();
}

}  // namespace watchlab::scenarios
