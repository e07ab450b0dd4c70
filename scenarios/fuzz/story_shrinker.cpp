#include "scenarios/fuzz/story_shrinker.hpp"

#include <fmt/format.h>

#include <cctype>
#include <stdexcept>
#include <utility>

#include "scenarios/fuzz/blank_story.hpp"
#include "scenarios/language/parse.hpp"
#include "scenarios/language/smaller_scenario.hpp"
#include "sim/kernel/schedule.hpp"

namespace watchlab::scenarios {
namespace {

/// How many actions the script has.
std::size_t actions_of(const Scenario& scenario) {
  std::size_t count = 0;
  for (const Step& step : scenario.script) {
    count += step.actions.size();
  }
  return count;
}

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

/// The message without the place where the file was not yet.
std::string message_without_place(const sim::Failure& failure) {
  std::string text = failure.sentence;
  for (std::size_t at = 0; (at = text.find("story_", at)) != std::string::npos;) {
    const std::size_t end = text.find(": ", at);
    text.erase(at, end == std::string::npos ? std::string::npos : end + 2 - at);
  }
  return text;
}

}  // namespace

ShrunkStory shrink_story(const Scenario& scenario, const FuzzFailure& found,
                         const std::function<bool()>& keep_going) {
  ShrunkStory story{.scenario = scenario,
                    .found = found,
                    .actions_before = actions_of(scenario),
                    .actions = actions_of(scenario)};
  const std::string text = scenario_text(scenario);
  sim::Schedule schedule = sim::Schedule::parse(found.failure.schedule);
  schedule.scenario = parse_scenario(text).scenario.value().hash;
  try {
    SmallerOptions options{.runs_max = kShrinkRunsMax,
                           .keep_going = keep_going,
                           .signature = fuzz_signature_of,
                           .keeps_race = false,
                           .complete = [&](Scenario& each) { complete_like(scenario, each); }};
    if (!scenario.expectations.empty()) {
      options.admits = [&](const Scenario& each) { return asks_the_same(each, scenario); };
    }
    const SmallerScenario smaller = smaller_scenario(text, schedule.to_string(), options);
    story.scenario = parse_scenario(smaller.text).scenario.value();
    complete_like(scenario, story.scenario);
    story.found.failure = smaller.failure;
    story.runs = smaller.runs;
    story.actions = actions_of(story.scenario);
  } catch (const std::invalid_argument&) {
    // A failure that comes and goes is reported as it was found.
  }
  return story;
}

FoundFile file_of(const ShrunkStory& story, std::uint64_t seed) {
  Scenario scenario = story.scenario;
  scenario.name = name_for(story.found.signature, seed);
  scenario.story =
      fmt::format("What is left of the fuzzer's story {}.\nIt shall hold, and fails.\n", seed);
  const std::string comment = fmt::format(
      "Found by watchlab fuzz{4} --seeds {0}..{0}, and made small: {1} of {2} actions are "
      "left.\n{3}",
      seed, story.actions, story.actions_before, message_without_place(story.found.failure),
      scenario.path.empty() ? "" : " --client go " + scenario.path);
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
