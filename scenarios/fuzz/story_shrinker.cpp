#include "scenarios/fuzz/story_shrinker.hpp"

#include <fmt/format.h>

#include <cctype>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "scenarios/language/parse.hpp"
#include "scenarios/language/play.hpp"
#include "scenarios/language/runner.hpp"
#include "sim/explore/shrink.hpp"

namespace watchlab::scenarios {
namespace {

class Shrinker {
 public:
  Shrinker(Scenario scenario, FuzzFailure found, const ShrinkStoryOptions& options)
      : scenario_(std::move(scenario)), found_(std::move(found)), options_(options) {}

  ShrunkStory shrunk() {
    const std::size_t before = actions_of(scenario_);
    while (runs_ < options_.runs_max && cut_once()) {
    }
    try_without(Scenario().explore.seed);
    shorten_schedule();
    const std::size_t after = actions_of(scenario_);
    return {.scenario = std::move(scenario_),
            .found = std::move(found_),
            .runs = runs_,
            .actions_before = before,
            .actions = after};
  }

 private:
  /// Goes through all cuts once and takes those that leave the failure. Whether there was any.
  bool cut_once() {
    bool any = false;
    std::vector<Cut> cuts = cuts_of(scenario_);
    std::size_t next = 0;
    while (next < cuts.size() && runs_ < options_.runs_max) {
      Scenario candidate = scenario_;
      cuts[next](candidate);
      if (candidate == scenario_ || !takes(candidate)) {
        ++next;
        continue;
      }
      any = true;
      cuts = cuts_of(scenario_);  // their places have moved
    }
    return any;
  }

  void try_without(std::int64_t default_seed) {
    Scenario candidate = scenario_;
    candidate.explore.seed = default_seed;
    (void)takes(candidate);
  }

  /// Makes the candidate the story if it fails with the same signature.
  bool takes(Scenario& candidate) {
    std::optional<sim::Failure> failure = failure_of(candidate);
    if (!failure) {
      return false;
    }
    scenario_ = std::move(candidate);
    found_.failure = std::move(*failure);
    return true;
  }

  /// The same failure in another story: undisturbed, under the schedule that is known, or under a
  /// few random ones.
  std::optional<sim::Failure> failure_of(const Scenario& candidate) {
    const FuzzRun run = fuzz_story(candidate, 0, {.schedules = 0});
    runs_ += run.runs;
    if (is_same(run.found)) {
      return run.found->failure;
    }
    if (run.found) {
      return std::nullopt;  // another mistake hides it, or the script does not fit any more
    }
    sim::Schedule schedule = sim::Schedule::parse(found_.failure.schedule);
    schedule.seed = static_cast<std::uint64_t>(candidate.explore.seed);
    if (schedule.deviations.empty()) {
      return std::nullopt;
    }
    ++runs_;
    const Played played = replay_scenario(candidate, schedule, true);
    if (played.result.failure && fuzz_signature_of(*played.result.failure) == found_.signature) {
      return played.result.failure;
    }
    for (std::uint64_t strategy = 0; strategy < 3; ++strategy) {
      const FuzzRun random = fuzz_story(candidate, strategy, {.schedules = options_.schedules / 3});
      runs_ += random.runs;
      if (is_same(random.found)) {
        return random.found->failure;
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] bool is_same(const std::optional<FuzzFailure>& other) const {
    return other && other->signature == found_.signature;
  }

  /// The schedule is for the text as a file has it, with that text's hash.
  void shorten_schedule() {
    sim::Schedule schedule = sim::Schedule::parse(found_.failure.schedule);
    if (schedule.deviations.empty()) {
      return;
    }
    try {
      const auto body = body_of(scenario_, Scope::AnyOrder);
      sim::ShrinkResult result = sim::shrink(found_.failure, {.search_runs_max = 500}, body);
      runs_ += result.runs;
      if (fuzz_signature_of(result.failure) == found_.signature) {
        found_.failure = std::move(result.failure);
      }
    } catch (const std::invalid_argument&) {
      return;  // a failure that comes and goes: it is reported as it was found
    }
  }

  Scenario scenario_;
  FuzzFailure found_;
  ShrinkStoryOptions options_;
  std::size_t runs_ = 0;
};

std::string name_for(const std::string& signature, std::uint64_t seed) {
  std::string name = "found";
  const std::size_t bar = signature.find('|');
  const std::string what =
      signature.starts_with("violation|") ? signature.substr(bar + 1) : signature.substr(0, bar);
  bool gap = true;
  for (const char c : what) {
    const bool keeps = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (keeps && gap) {
      name += '_';
    }
    if (keeps) {
      name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    gap = !keeps;
    constexpr std::size_t longest = 48;
    if (name.size() > longest) {
      break;
    }
  }
  return fmt::format("{}_{}", name, seed);
}

/// The sentence without the place where the file was not yet.
std::string sentence_of(const sim::Failure& failure) {
  std::string text = failure.sentence;
  for (std::size_t at = 0; (at = text.find("story_", at)) != std::string::npos;) {
    const std::size_t end = text.find(": ", at);
    text.erase(at, end == std::string::npos ? std::string::npos : end + 2 - at);
  }
  return text;
}

}  // namespace

ShrunkStory shrink_story(Scenario scenario, FuzzFailure found, const ShrinkStoryOptions& options) {
  return Shrinker(std::move(scenario), std::move(found), options).shrunk();
}

FoundFile file_of(const ShrunkStory& story, std::uint64_t seed) {
  Scenario scenario = story.scenario;
  scenario.name = name_for(story.found.signature, seed);
  scenario.story =
      fmt::format("What is left of the fuzzer's story {}.\nIt shall hold, and fails.\n", seed);
  const std::string comment = fmt::format(
      "Found by watchlab fuzz --seeds {0}..{0}, and made small: {1} of {2} actions are left.\n{3}",
      seed, story.actions, story.actions_before, sentence_of(story.found.failure));
  sim::Schedule schedule = sim::Schedule::parse(story.found.failure.schedule);
  const bool is_undisturbed = schedule.deviations.empty();
  if (!is_undisturbed) {
    const Parsed parsed = parse_scenario(scenario_text(scenario));
    schedule.scenario = parsed.scenario ? parsed.scenario->hash : 0;
    scenario.schedule = schedule.to_string();
  }
  return {scenario.name, scenario_text(scenario, comment)};
}

}  // namespace watchlab::scenarios
