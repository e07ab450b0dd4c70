#include "scenarios/cli/fuzz_campaign.hpp"

#include <fmt/format.h>

#include <atomic>
#include <boost/json.hpp>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <stdexcept>

#include "core/features/release_profile.hpp"
#include "scenarios/campaign/campaign.hpp"
#include "scenarios/campaign/sealed.hpp"
#include "scenarios/campaign/ticker.hpp"
#include "scenarios/cli/in_parallel.hpp"
#include "scenarios/cli/pasted_line.hpp"
#include "scenarios/cli/report.hpp"
#include "scenarios/cli/scenario_command.hpp"
#include "scenarios/cli/transcript_file.hpp"
#include "scenarios/command_line/child_process.hpp"
#include "scenarios/command_line/console.hpp"
#include "scenarios/command_line/go_programs.hpp"
#include "scenarios/command_line/output_file.hpp"
#include "scenarios/fuzz/blank_story.hpp"
#include "scenarios/fuzz/known_live.hpp"
#include "scenarios/fuzz/story_generator.hpp"
#include "scenarios/fuzz/story_shrinker.hpp"
#include "scenarios/language/input_file.hpp"
#include "scenarios/language/runner.hpp"
#include "scenarios/language/transcript.hpp"

namespace watchlab::scenarios {
namespace {

constexpr std::size_t kBatchSize = 8;

/// Some stories, played one after the other.
struct Batch {
  std::vector<FuzzFound> found;
  std::size_t stories = 0;
  std::size_t runs = 0;
  std::size_t refused = 0;
  FaultCoverage coverage;
  bool is_cut = false;  ///< a signal came, or time was over, before all were played

  void add(const Batch& other) {
    found.insert(found.end(), other.found.begin(), other.found.end());
    stories += other.stories;
    runs += other.runs;
    refused += other.refused;
    coverage.merge(other.coverage);
  }
};

/// The machines to play on; only "" when none is named.
std::vector<std::string> machines_of(const FuzzArguments& arguments) {
  std::vector<std::string> machines = machines_named(arguments.machines);
  return machines.empty() ? std::vector<std::string>{""} : machines;
}

/// The seeds to play, the kept ones first. Throws `std::invalid_argument` with a message.
FuzzSeeds seeds_of(const FuzzArguments& arguments) {
  const auto range = seed_range(arguments.seed_range());
  const auto shard = shard_of(arguments.shard);
  if (!range || !shard) {
    throw std::invalid_argument(!range ? "--seeds takes a range, as in 1..2000"
                                       : "--shard takes its number, counted from 0, and how many "
                                         "there are, as in 0/4");
  }
  std::vector<std::uint64_t> kept;
  if (!arguments.kept.empty()) {
    const std::string text = read_input(arguments.kept);
    try {
      for (const KeptSeed& each : kept_seeds(text)) {
        kept.push_back(each.seed);
      }
    } catch (const std::invalid_argument& wrong) {
      throw std::invalid_argument(fmt::format("{}: {}", arguments.kept, wrong.what()));
    }
  }
  return {std::move(kept), *range, *shard};
}

/// The same call from its beginning.
std::string same_line(const FuzzArguments& arguments) {
  ChangedCall changed{.without = {"--resume"}};
  if (arguments.blank) {
    changed.stories = {&*arguments.blank};
  }
  return same_call("fuzz", changed);
}

/// The line that plays one story of a campaign again, and writes nothing.
std::string line_of_story(const FuzzArguments& arguments, const FuzzFound& found) {
  std::string options = fmt::format("--seeds {0}..{0} --keep-large", found.seed);
  options += arguments.schedules ? fmt::format(" --schedules {}", *arguments.schedules) : "";
  options += found.machine.empty() ? "" : " --machine " + found.machine;
  options += arguments.strict ? " --strict" : "";
  options += arguments.blank ? " --client " + arguments.client : "";
  return arguments.blank ? line_to_paste("fuzz", {arguments.story}, {&*arguments.blank}, options)
                         : as_typed("fuzz " + options);
}

/// The story in the folder for what is found, from where its program has to be named.
void move_to_folder(Scenario& story, const FuzzArguments& arguments) {
  for (sim::StoryClientOptions& client : story.clients) {
    if (arguments.blank) {
      client.run =
          run_from_folder(client.run, std::filesystem::path(arguments.blank->path).parent_path(),
                          arguments.folder());
    }
  }
}

/// Makes the first story of a finding small and writes it as a scenario. Returns what is wrong when
/// that cannot be written, and the finding has no file then; "" when nothing is.
std::string make_small(const FuzzArguments& arguments, FuzzFinding& finding, Console& console) {
  if (arguments.keep_large) {
    return "";
  }
  const std::uint64_t seed = finding.first.seed;
  const std::string words =
      fmt::format("runs at most, to make story {} small: {}", seed, finding.first.what.signature);
  const auto keep_going = [&, goes_on = until_stopped({}), runs = std::size_t{0}]() mutable {
    console.count(++runs, kShrinkRunsMax, words);
    return goes_on();
  };
  ShrunkStory story = shrink_story(fuzz_story_of(arguments, seed, finding.first.machine),
                                   finding.first.what, keep_going);
  std::error_code ignored;
  std::filesystem::create_directories(arguments.folder(), ignored);
  move_to_folder(story.scenario, arguments);
  const FoundFile file = file_of(story, seed);
  finding.file = fmt::format("{}/{}.yaml", arguments.folder(), file.name);
  const std::string problem = write_own_file(finding.file, file.text);
  finding.file = problem.empty() ? finding.file : "";
  finding.sentence = story.found.failure.sentence;
  finding.shrunk = fmt::format(
      "\n  {} of {} actions are left, after {} runs\n  try: {}", story.actions,
      story.actions_before, story.runs,
      problem.empty() ? run_line(finding.file) : line_of_story(arguments, finding.first));
  return problem;
}

class Campaigner {
 public:
  Campaigner(const FuzzArguments& arguments, Console& console)
      : arguments_(arguments),
        console_(console),
        goes_on_(until_stopped(arguments.time)),
        save_(arguments.save_every) {}

  FuzzCampaign play() {
    campaign_.seeds = seeds_of(arguments_);
    machines_ = machines_of(arguments_);
    FuzzProgress progress(arguments_);
    progress.read_into(campaign_);
    first_ = campaign_.stories;
    seconds_before_ = campaign_.seconds;
    campaign_.earlier = progress.earlier_line();
    play_all(progress);
    campaign_.interrupted = (is_interrupted_ || is_cut_) && campaign_.unplayed() > 0;
    if (campaign_.interrupted) {
      save(progress);
      campaign_.resume = progress.is_kept() ? progress.line() : "";
      campaign_.again = progress.is_kept() ? "" : same_line(arguments_);
    } else {
      campaign_.own_file = progress.own_file();
    }
    campaign_.seconds = seconds_before_ + watch_.seconds();
    return std::move(campaign_);
  }

 private:
  /// Whether a batch is to be played. A story counts when it was played to its end, and a batch
  /// when all before it were: so all stories before some number were played, and none after it.
  bool may_begin(std::size_t batch) {
    const std::scoped_lock lock(mutex_);
    is_interrupted_ = is_interrupted_ || !goes_on_();
    stop_at_ = is_interrupted_ || found_first_ ? std::min(stop_at_, begun_) : stop_at_;
    begun_ = batch < stop_at_ ? std::max(begun_, batch + 1) : begun_;
    return batch < stop_at_;
  }

  /// Nothing when it does not begin any more.
  std::optional<Batch> play_batch(std::size_t number) {
    if (!may_begin(number)) {
      return std::nullopt;
    }
    Batch batch;
    const std::size_t begin = first_ + number * kBatchSize;
    const std::size_t end = begin + std::min(campaign_.seeds.size() - begin, kBatchSize);
    for (std::size_t i = begin; i < end && !found_first_ && !batch.is_cut; ++i) {
      Batch story{.stories = 1};
      for (const std::string& machine : machines_) {
        play_story(campaign_.seeds[i], machine, story);
      }
      batch.is_cut = story.is_cut;
      if (!story.is_cut) {
        batch.add(story);
      }
    }
    return batch;
  }

  void play_story(std::uint64_t seed, const std::string& machine, Batch& batch) {
    const Scenario scenario = fuzz_story_of(arguments_, seed, machine);
    FuzzRun run = fuzz_story(scenario, seed,
                             {.schedules = arguments_.schedules_each(), .keep_going = goes_on_});
    batch.is_cut = batch.is_cut || run.interrupted;
    batch.runs += run.runs;
    batch.refused = batch.refused > 0 || (run.own_refusal && !run.found) ? 1 : 0;
    if (run.found) {
      run.found->known = arguments_.strict ? "" : run.found->known;
      batch.found.push_back({seed, *run.found, machine});
      found_first_ = found_first_ || (arguments_.first && run.found->known.empty());
    }
    if (arguments_.coverage && !batch.is_cut) {
      if (const Transcript transcript = transcribe(scenario); transcript.record) {
        batch.coverage.add(*transcript.record);
      }
    }
  }

  void play_all(const FuzzProgress& progress) {
    const std::size_t left = campaign_.seeds.size() - std::min(first_, campaign_.seeds.size());
    in_parallel<Batch>(
        left / kBatchSize + (left % kBatchSize > 0 ? 1 : 0), arguments_.jobs,
        [&](std::size_t i) { return play_batch(i); },
        [&](std::size_t, const Batch& batch) {
          const bool is_news = take_in(batch);
          if (is_news || save_.is_due()) {
            save(progress);
          }
          console_.progress(fmt::format("{} of {} stories, {} runs, {} different findings",
                                        campaign_.stories, campaign_.seeds.size(), campaign_.runs,
                                        campaign_.unknown()));
        });
  }

  /// Counts what a batch has come to. Whether there is a new finding in it.
  bool take_in(const Batch& batch) {
    if (is_cut_) {
      return false;  // one of those before it was not played
    }
    is_cut_ = batch.is_cut;
    campaign_.stories += batch.stories;
    campaign_.runs += batch.runs;
    campaign_.refused += batch.refused;
    campaign_.coverage.merge(batch.coverage);
    bool is_news = false;
    for (const FuzzFound& found : batch.found) {
      const auto [entry, is_new] = campaign_.findings.try_emplace(
          {found.what.signature, found.what.known}, FuzzFinding{found, 0});
      ++entry->second.stories;
      if (is_new && entry->second.fix().empty()) {
        const std::string wrong = make_small(arguments_, entry->second, console_);
        campaign_.unwritten = wrong.empty() ? campaign_.unwritten : wrong;
      }
      is_news = is_news || is_new;
    }
    return is_news;
  }

  void save(const FuzzProgress& progress) {
    campaign_.seconds = seconds_before_ + watch_.seconds();
    campaign_.problem = progress.save(campaign_);
  }

  const FuzzArguments& arguments_;
  Console& console_;
  Stopwatch watch_;
  double seconds_before_ = 0;
  std::function<bool()> goes_on_;
  Ticker save_;
  FuzzCampaign campaign_;
  std::vector<std::string> machines_;
  std::size_t first_ = 0;  ///< the first story that is played, by its place
  std::atomic<bool> found_first_ = false;
  std::mutex mutex_;
  bool is_interrupted_ = false;     ///< by a signal, or by time
  bool is_cut_ = false;             ///< the same, within a batch that was taken in
  std::size_t begun_ = 0;           ///< all batches that were begun lie below
  std::size_t stop_at_ = SIZE_MAX;  ///< no batch with this number or a later one begins
};

}  // namespace

FuzzSeeds::FuzzSeeds(std::vector<std::uint64_t> kept, const Range& range, const Range& shard)
    : kept_(std::move(kept)), first_(range.first), step_(shard.second), size_(kept_.size()) {
  const std::uint64_t skipped = (shard.first + step_ - first_ % step_) % step_;
  const std::uint64_t span = range.second - first_;
  if (skipped <= span) {
    first_ += skipped;
    const std::uint64_t after_first = (span - skipped) / step_;
    size_ += std::min<std::uint64_t>(after_first, SIZE_MAX - 1 - size_) + 1;
  }
}

std::string FuzzArguments::folder() const {
  if (!out.empty() || !blank) {
    return out.empty() ? "fuzz-found" : out;
  }
  const std::string beside = std::filesystem::path(blank->path).parent_path().string();
  return beside.empty() ? "." : beside;
}

Scenario fuzz_story_of(const FuzzArguments& arguments, std::uint64_t seed,
                       const std::string& machine) {
  if (arguments.blank) {
    return story_around(*arguments.blank, seed);
  }
  return machine.empty() ? swarm_story(seed) : playable_on(machine, swarm_story(seed));
}

FuzzCampaign play_campaign(const FuzzArguments& arguments, Console& console) {
  return Campaigner(arguments, console).play();
}

namespace {

using boost::json::value_to;

/// The options that decide what is found.
Settings settings_for(const FuzzArguments& arguments) {
  Settings settings{{"seeds", arguments.seed_range()},
                    {"kept", arguments.kept.empty() ? "none" : arguments.kept},
                    {"shard", arguments.shard},
                    {"checksum of kept seeds",
                     fmt::format("{:016x}", checksum_of(read_file(arguments.kept).value_or("")))},
                    {"schedules", std::to_string(arguments.schedules_each())},
                    {"strict", arguments.strict ? "yes" : "no"},
                    {"coverage", arguments.coverage ? "yes" : "no"}};
  if (!arguments.machines.empty()) {
    settings.emplace_back("machine", arguments.machines);
  }
  if (arguments.blank) {
    settings.emplace_back("blank story",
                          fmt::format("{} {:016x}", arguments.story, arguments.blank->hash));
  }
  return settings;
}

/// Campaigns with other options have other files.
std::string file_name(const FuzzArguments& arguments) {
  std::string all;
  for (const auto& [name, value] : settings_for(arguments)) {
    all += value + " ";
  }
  return fmt::format("fuzz.{:016x}.resume", checksum_of(all));
}

boost::json::object object_of(const std::string& signature, const FuzzFinding& finding) {
  return {{"signature", signature},     {"fix", finding.fix()},
          {"seed", finding.first.seed}, {"machine", finding.first.machine},
          {"stories", finding.stories}, {"sentence", finding.sentence},
          {"file", finding.file},       {"shrunk", finding.shrunk}};
}

/// A finding that was kept. What its story comes to follows from the seed.
FuzzFinding finding_of(const boost::json::value& kept, const FuzzArguments& arguments) {
  const auto seed = value_to<std::uint64_t>(kept.at("seed"));
  const boost::json::value* const named = kept.as_object().if_contains("machine");
  const std::string machine = named == nullptr ? "" : value_to<std::string>(*named);
  const FuzzRun run = fuzz_story(fuzz_story_of(arguments, seed, machine), seed,
                                 {.schedules = arguments.schedules_each()});
  if (!run.found || run.found->signature != value_to<std::string>(kept.at("signature"))) {
    throw std::invalid_argument(
        fmt::format("story {} does not come to {} any more: the code has changed since", seed,
                    value_to<std::string>(kept.at("signature"))));
  }
  FuzzFinding finding{.first = {.seed = seed, .what = *run.found, .machine = machine},
                      .stories = value_to<std::size_t>(kept.at("stories")),
                      .sentence = value_to<std::string>(kept.at("sentence")),
                      .file = value_to<std::string>(kept.at("file")),
                      .shrunk = value_to<std::string>(kept.at("shrunk"))};
  const char* const fix =
      kept.as_object().contains("fix") ? "fix" : "mend";  // earlier versions wrote that
  finding.first.what.known = value_to<std::string>(kept.at(fix));
  return finding;
}

}  // namespace

FuzzProgress::FuzzProgress(const FuzzArguments& arguments)
    : ResumeFile(file_name(arguments), arguments.resume, same_line(arguments)),
      arguments_(arguments),
      settings_(settings_for(arguments)) {}

void FuzzProgress::read_into(FuzzCampaign& campaign) const {
  if (arguments_.resume.empty()) {
    return;
  }
  const std::string text = read_progress(path(), "fuzz", settings_);
  try {
    boost::json::parse_options options;
    options.allow_invalid_utf8 = true;  // a message may quote anything
    const boost::json::value body = boost::json::parse(text, {}, options);
    campaign.stories = value_to<std::size_t>(body.at("stories"));
    campaign.runs = value_to<std::size_t>(body.at("runs"));
    if (const boost::json::value* const refused = body.as_object().if_contains("refused")) {
      campaign.refused = value_to<std::size_t>(*refused);  // earlier versions did not count them
    }
    campaign.seconds = value_to<double>(body.at("seconds"));
    campaign.coverage = FaultCoverage::from_text(value_to<std::string>(body.at("coverage")));
    for (const boost::json::value& kept : body.at("findings").as_array()) {
      FuzzFinding finding = finding_of(kept, arguments_);
      std::pair<std::string, std::string> name(finding.first.what.signature, finding.fix());
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
                                 {"refused", campaign.refused},
                                 {"seconds", campaign.seconds},
                                 {"coverage", campaign.coverage.to_string()},
                                 {"findings", std::move(findings)}};
  return write_file_synced(path(), progress_text({.command = "fuzz",
                                                  .settings = settings_,
                                                  .body = boost::json::serialize(body)}));
}

}  // namespace watchlab::scenarios
