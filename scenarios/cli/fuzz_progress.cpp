#include "scenarios/cli/fuzz_progress.hpp"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <stdexcept>

#include "scenarios/campaign/progress_file.hpp"
#include "scenarios/fuzz/swarm_story.hpp"

namespace watchlab::scenarios {
namespace {

using boost::json::value_to;

/// The options that decide what is found.
Settings settings_for(const FuzzArguments& arguments) {
  return {{"seeds", arguments.seed_range()},
          {"kept", arguments.kept.empty() ? "none" : arguments.kept},
          {"shard", arguments.shard},
          {"checksum of kept seeds",
           fmt::format("{:016x}", checksum_of(read_file(arguments.kept).value_or("")))},
          {"schedules", std::to_string(arguments.schedules)},
          {"strict", arguments.strict ? "yes" : "no"},
          {"coverage", arguments.coverage ? "yes" : "no"}};
}

/// Campaigns with other options have other files.
std::string file_name(const FuzzArguments& arguments) {
  std::string all;
  for (const auto& [name, value] : settings_for(arguments)) {
    all += value + " ";
  }
  return fmt::format("fuzz.{:016x}.resume", checksum_of(all));
}

std::string line_for(const FuzzArguments& arguments) {
  std::string line = fmt::format("./watchlab fuzz --seeds {}", arguments.seed_range());
  const FuzzArguments usual;
  const auto add = [&line](bool wanted, const std::string& words) {
    line += wanted ? " " + words : "";
  };
  add(!arguments.kept.empty(), "--kept " + arguments.kept);
  add(arguments.shard != usual.shard, "--shard " + arguments.shard);
  add(arguments.schedules != usual.schedules, fmt::format("--schedules {}", arguments.schedules));
  add(arguments.jobs != usual.jobs, fmt::format("--jobs {}", arguments.jobs));
  add(arguments.out != usual.out, "--out " + arguments.out);
  add(arguments.strict, "--strict");
  add(arguments.coverage, "--coverage");
  add(arguments.keep_large, "--keep-large");
  return line;
}

boost::json::object object_of(const std::string& signature, const FuzzFinding& finding) {
  return {{"signature", signature},       {"mend", finding.mend()},
          {"seed", finding.first.seed},   {"stories", finding.stories},
          {"sentence", finding.sentence}, {"file", finding.file},
          {"shrunk", finding.shrunk}};
}

/// A finding that was kept. What its story comes to follows from the seed.
FuzzFinding finding_of(const boost::json::value& kept, const FuzzArguments& arguments) {
  const auto seed = value_to<std::uint64_t>(kept.at("seed"));
  const FuzzRun run = fuzz_story(swarm_story(seed), seed, {.schedules = arguments.schedules});
  if (!run.found || run.found->signature != value_to<std::string>(kept.at("signature"))) {
    throw std::invalid_argument(
        fmt::format("story {} does not come to {} any more: the code has changed since", seed,
                    value_to<std::string>(kept.at("signature"))));
  }
  FuzzFinding finding{.first = {.seed = seed, .what = *run.found},
                      .stories = value_to<std::size_t>(kept.at("stories")),
                      .sentence = value_to<std::string>(kept.at("sentence")),
                      .file = value_to<std::string>(kept.at("file")),
                      .shrunk = value_to<std::string>(kept.at("shrunk"))};
  finding.first.what.known = value_to<std::string>(kept.at("mend"));
  return finding;
}

}  // namespace

FuzzProgress::FuzzProgress(const FuzzArguments& arguments)
    : ResumeFile(file_name(arguments), arguments.resume, line_for(arguments)),
      arguments_(arguments),
      settings_(settings_for(arguments)) {}

void FuzzProgress::read_into(FuzzCampaign& campaign) const {
  if (arguments_.resume.empty()) {
    return;
  }
  const std::string text = read_progress(path(), "fuzz", settings_);
  try {
    boost::json::parse_options options;
    options.allow_invalid_utf8 = true;  // a sentence may quote anything
    const boost::json::value body = boost::json::parse(text, {}, options);
    campaign.stories = value_to<std::size_t>(body.at("stories"));
    campaign.runs = value_to<std::size_t>(body.at("runs"));
    campaign.seconds = value_to<double>(body.at("seconds"));
    campaign.coverage = FaultCoverage::from_text(value_to<std::string>(body.at("coverage")));
    for (const boost::json::value& kept : body.at("findings").as_array()) {
      FuzzFinding finding = finding_of(kept, arguments_);
      std::pair<std::string, std::string> name(finding.first.what.signature, finding.mend());
      campaign.findings.emplace(std::move(name), std::move(finding));
    }
  } catch (const std::exception& failure) {
    throw std::invalid_argument(fmt::format("{}: {}", path(), failure.what()));
  }
}

std::string FuzzProgress::save(const FuzzCampaign& campaign) const {
  boost::json::array findings;
  for (const auto& [name, finding] : campaign.findings) {
    findings.push_back(object_of(name.first, finding));
  }
  const boost::json::object body{{"stories", campaign.stories},
                                 {"runs", campaign.runs},
                                 {"seconds", campaign.seconds},
                                 {"coverage", campaign.coverage.to_text()},
                                 {"findings", std::move(findings)}};
  return write_file_synced(path(), progress_text({.command = "fuzz",
                                                  .settings = settings_,
                                                  .body = boost::json::serialize(body)}));
}

}  // namespace watchlab::scenarios
