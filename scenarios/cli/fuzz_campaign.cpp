#include "scenarios/cli/fuzz_campaign.hpp"

#include <fmt/format.h>

#include <atomic>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>

#include "scenarios/cli/in_parallel.hpp"
#include "scenarios/cli/transcript_file.hpp"
#include "scenarios/fuzz/kept_seeds.hpp"
#include "scenarios/fuzz/swarm_story.hpp"
#include "scenarios/language/transcript.hpp"
#include "scenarios/language/values.hpp"

namespace watchlab::scenarios {
namespace {

constexpr std::size_t batch_size = 32;
constexpr std::string_view long_seeds = "1..100000";

/// Some stories, played one after the other.
struct Batch {
  std::vector<FuzzFound> found;
  std::size_t stories = 0;
  std::size_t runs = 0;
  FaultCoverage coverage;
};

/// "2/8" as {2, 8}; nothing for what is none.
std::optional<std::pair<std::uint64_t, std::uint64_t>> shard_of(const std::string& text) {
  const std::size_t slash = text.find('/');
  const std::string range =
      slash == std::string::npos ? "" : text.substr(0, slash) + ".." + text.substr(slash + 1);
  const auto parts = seed_range(range);
  return parts && parts->first < parts->second ? parts : std::nullopt;
}

/// The seeds to play, the kept ones first. Throws `std::invalid_argument` with a sentence.
std::vector<std::uint64_t> seeds_of(const FuzzArguments& arguments) {
  const auto range = seed_range(arguments.is_long ? long_seeds : arguments.seeds);
  const auto shard = shard_of(arguments.shard);
  if (!range || !shard) {
    throw std::invalid_argument(!range ? "--seeds takes a range, as in 1..2000"
                                       : "--shard takes its number, counted from 0, and how many "
                                         "there are, as in 0/4");
  }
  std::vector<std::uint64_t> seeds;
  if (!arguments.kept.empty()) {
    std::ifstream file(arguments.kept);
    if (!file) {
      throw std::invalid_argument(arguments.kept + ": the file of kept seeds cannot be read");
    }
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    for (const KeptSeed& kept : kept_seeds(text)) {
      seeds.push_back(kept.seed);
    }
  }
  for (std::uint64_t seed = range->first; seed <= range->second; ++seed) {
    if (seed % shard->second == shard->first) {
      seeds.push_back(seed);
    }
  }
  return seeds;
}

class Campaigner {
 public:
  Campaigner(const FuzzArguments& arguments, Console& console)
      : arguments_(arguments), console_(console) {}

  FuzzCampaign play() {
    campaign_.seeds = seeds_of(arguments_);
    runtime::Duration limit{0};
    if (!arguments_.time.empty() && !parse_duration(arguments_.time, limit)) {
      throw std::invalid_argument("--time takes a duration, as in 30s");
    }
    seconds_max_ = std::chrono::duration<double>(limit).count();
    play_all();
    campaign_.seconds = watch_.seconds();
    return std::move(campaign_);
  }

 private:
  [[nodiscard]] bool is_over() const {
    return stop_ || (seconds_max_ > 0 && watch_.seconds() > seconds_max_);
  }

  Batch play_batch(std::size_t number) {
    Batch batch;
    const std::size_t end = std::min(campaign_.seeds.size(), (number + 1) * batch_size);
    for (std::size_t i = number * batch_size; i < end && !is_over(); ++i) {
      const std::uint64_t seed = campaign_.seeds[i];
      const Scenario scenario = swarm_story(seed);
      FuzzRun run = fuzz_story(scenario, seed, {.schedules = arguments_.schedules});
      ++batch.stories;
      batch.runs += run.runs;
      if (run.found) {
        run.found->known = arguments_.strict ? "" : run.found->known;
        batch.found.push_back({seed, *run.found});
        stop_ = stop_ || (arguments_.first && run.found->known.empty());
      }
      if (arguments_.coverage) {
        if (const Transcript transcript = transcribe(scenario); transcript.record) {
          batch.coverage.add(*transcript.record);
        }
      }
    }
    return batch;
  }

  void play_all() {
    const std::size_t batches = (campaign_.seeds.size() + batch_size - 1) / batch_size;
    in_parallel<Batch>(
        batches, arguments_.jobs, [&](std::size_t i) { return play_batch(i); },
        [&](std::size_t, const Batch& batch) {
          campaign_.stories += batch.stories;
          campaign_.runs += batch.runs;
          campaign_.coverage.merge(batch.coverage);
          for (const FuzzFound& found : batch.found) {
            FuzzFinding& finding =
                campaign_.findings
                    .try_emplace({found.what.signature, found.what.known}, FuzzFinding{found, 0})
                    .first->second;
            ++finding.stories;
          }
          console_.progress(fmt::format("{} of {} stories, {} runs, {} different findings",
                                        campaign_.stories, campaign_.seeds.size(), campaign_.runs,
                                        campaign_.unknown()));
        });
  }

  const FuzzArguments& arguments_;
  Console& console_;
  Stopwatch watch_;
  FuzzCampaign campaign_;
  std::atomic<bool> stop_ = false;
  double seconds_max_ = 0;
};

}  // namespace

FuzzCampaign play_campaign(const FuzzArguments& arguments, Console& console) {
  return Campaigner(arguments, console).play();
}

}  // namespace watchlab::scenarios
