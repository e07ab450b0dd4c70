#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <boost/json.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "scenarios/cli/commands.hpp"
#include "scenarios/cli/failure_text.hpp"
#include "scenarios/cli/in_parallel.hpp"
#include "scenarios/cli/transcript_file.hpp"
#include "scenarios/fuzz/fault_coverage.hpp"
#include "scenarios/fuzz/fuzz_run.hpp"
#include "scenarios/fuzz/kept_seeds.hpp"
#include "scenarios/fuzz/known_live.hpp"
#include "scenarios/fuzz/story_shrinker.hpp"
#include "scenarios/fuzz/swarm_faults.hpp"
#include "scenarios/fuzz/swarm_story.hpp"
#include "scenarios/fuzz/wire_story.hpp"
#include "scenarios/language/scenario_text.hpp"
#include "scenarios/language/transcript.hpp"
#include "scenarios/language/values.hpp"

namespace watchlab::scenarios {
namespace {

constexpr std::size_t batch_size = 32;
constexpr std::string_view long_seeds = "1..100000";

struct FuzzArguments {
  CommonOptions common;
  std::string seeds = "1..2000";
  std::string kept;
  std::string shard = "0/1";
  std::string time;
  std::string out = "fuzz-found";
  std::string show;
  std::size_t schedules = 3;
  std::size_t jobs = 1;
  bool coverage = false;
  bool is_long = false;
  bool first = false;
  bool keep_large = false;
  bool strict = false;
};

/// What a story came to that failed.
struct Found {
  std::uint64_t seed = 0;
  FuzzFailure what;
};

struct Batch {
  std::vector<Found> found;
  std::size_t stories = 0;
  std::size_t runs = 0;
  FaultCoverage coverage;
};

/// All findings that have one signature, and are known or are not.
struct Finding {
  Found first;
  std::size_t stories = 0;

  [[nodiscard]] const std::string& mend() const { return first.what.known; }
};

/// What is known of the behaviour that a patch mends.
KnownLive known_by(const std::string& mend) {
  for (const KnownLive& known : known_live_catalogue()) {
    if (known.mend == mend) {
      return known;
    }
  }
  return {};
}

struct Campaign {
  std::vector<std::uint64_t> seeds;
  std::map<std::pair<std::string, std::string>, Finding> findings;  ///< by signature and mend
  std::size_t stories = 0;
  std::size_t runs = 0;
  FaultCoverage coverage;

  /// How many findings nobody knew of.
  [[nodiscard]] std::size_t unknown() const {
    return static_cast<std::size_t>(
        std::count_if(findings.begin(), findings.end(),
                      [](const auto& each) { return each.second.mend().empty(); }));
  }
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

class Fuzzer {
 public:
  Fuzzer(const FuzzArguments& arguments, Console& console)
      : arguments_(arguments), console_(console) {}

  int run() {
    campaign_.seeds = seeds_of(arguments_);
    runtime::Duration limit{0};
    if (!arguments_.time.empty() && !parse_duration(arguments_.time, limit)) {
      throw std::invalid_argument("--time takes a duration, as in 30s");
    }
    seconds_max_ = std::chrono::duration<double>(limit).count();
    play_all();
    report_all();
    return campaign_.unknown() == 0 ? exit_held : exit_found;
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
          for (const Found& found : batch.found) {
            Finding& finding =
                campaign_.findings
                    .try_emplace({found.what.signature, found.what.known}, Finding{found, 0})
                    .first->second;
            ++finding.stories;
          }
          console_.progress(fmt::format("{} of {} stories, {} runs, {} different findings",
                                        campaign_.stories, campaign_.seeds.size(), campaign_.runs,
                                        campaign_.unknown()));
        });
  }

  void report_all() {
    const double seconds = watch_.seconds();
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
                                                               {"findings", campaign_.unknown()},
                                                               {"seconds", seconds}}));
    }
    console_.remark(fmt::format(
        "{} stories, {} runs in {:.1f} s, {:.0f} a second: {}", campaign_.stories, campaign_.runs,
        seconds, static_cast<double>(campaign_.runs) / std::max(seconds, 1e-9),
        campaign_.unknown() > 0
            ? fmt::format("{} different findings", campaign_.unknown())
            : fmt::format("nothing was found{}",
                          campaign_.findings.empty() ? "" : " that is not known")));
  }

  void report_known(const std::string& signature, const Finding& finding) {
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

  void report(const std::string& signature, const Finding& finding) {
    const std::uint64_t seed = finding.first.seed;
    std::string path;
    std::string sentence = finding.first.what.failure.sentence;
    std::string shrunk_words;
    if (!arguments_.keep_large) {
      console_.progress(fmt::format("making story {} small: {}", seed, signature));
      const ShrunkStory story = shrink_story(swarm_story(seed), finding.first.what);
      const FoundFile file = file_of(story, seed);
      path = fmt::format("{}/{}.yaml", arguments_.out, file.name);
      std::error_code ignored;
      std::filesystem::create_directories(arguments_.out, ignored);
      const std::string problem = write_file(path, file.text);
      if (!problem.empty()) {
        throw std::runtime_error(problem);
      }
      sentence = story.found.failure.sentence;
      shrunk_words =
          fmt::format("\n  {} of {} actions are left, after {} runs\n  try: watchlab run {}",
                      story.actions, story.actions_before, story.runs, path);
    }
    if (arguments_.common.json) {
      console_.line(boost::json::serialize(boost::json::object{{"signature", signature},
                                                               {"seed", seed},
                                                               {"stories", finding.stories},
                                                               {"sentence", sentence},
                                                               {"file", path}}));
      return;
    }
    console_.complain(fmt::format("{}  {}: {} stories, first {}\n  {}{}", console_.bad("FOUND"),
                                  signature, finding.stories, seed,
                                  sentence.substr(0, sentence.find('\n')), shrunk_words));
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
  Console& console_;
  Stopwatch watch_;
  Campaign campaign_;
  std::atomic<bool> stop_ = false;
  double seconds_max_ = 0;
};

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
    return Fuzzer(arguments, console).run();
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
            .help = "Begins no story after that time, like 30s"},
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
