#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <variant>

#include "scenarios/fuzz/story_generator.hpp"
#include "sim/explore/random_numbers.hpp"

namespace watchlab::scenarios {
namespace {

using std::chrono::milliseconds;

constexpr std::array<std::string_view, 6> kByteFaults{"tear_bytes",       "split_bytes",
                                                      "omit_last_chunk",  "omit_newline",
                                                      "interim_response", "join_events"};
constexpr std::array<const char*, 3> kCarriers{"requests", "answers", "events"};

sim::FaultSketch draw(sim::RandomNumbers& numbers) {
  sim::FaultSketch fault;
  fault.name = kByteFaults.at(numbers.below(kByteFaults.size()));
  if (fault.name == "tear_bytes") {
    fault.parameters["what"] = std::string(kCarriers.at(numbers.below(kCarriers.size())));
    fault.parameters["keep"] = static_cast<std::int64_t>(numbers.below(600));
    fault.parameters["reset"] = numbers.below(2) == 0;
    fault.times = 1 + numbers.below(3);
  } else if (fault.name == "split_bytes") {
    fault.parameters["what"] = std::string(kCarriers.at(numbers.below(kCarriers.size())));
    fault.parameters["piece"] = static_cast<std::int64_t>(1 + numbers.below(200));
    fault.parameters["pause"] = runtime::Duration(milliseconds(numbers.below(20)));
    fault.times = 1 + numbers.below(10);
  } else if (fault.name == "join_events") {
    fault.parameters["linger"] = runtime::Duration(milliseconds(1 + numbers.below(3'000)));
  }
  return fault;
}

/// The last step that does something, rather than wait: of a story of the fuzzer the one that
/// heals.
Step& last_deed(Scenario& story) {
  const auto waits = [](const Step& step) {
    return std::holds_alternative<WaitAction>(step.actions.front());
  };
  return *std::find_if_not(story.script.rbegin(), story.script.rend(), waits);
}

}  // namespace

std::vector<std::string_view> wire_fault_names() {
  return {kByteFaults.begin(), kByteFaults.end()};
}

Scenario over_the_wire(Scenario story, std::uint64_t seed) {
  sim::RandomNumbers numbers(seed * 2 + 1);
  story.transport = sim::Transport::Wire;
  Step& end = last_deed(story);
  std::vector<std::string> in_place;
  for (Step& step : story.script) {
    if (&step == &end) {
      break;
    }
    if (numbers.below(3) != 0 || std::holds_alternative<WaitAction>(step.actions.front())) {
      continue;
    }
    sim::FaultSketch fault = draw(numbers);
    fault.as = fmt::format("bytes{}", in_place.size());
    in_place.push_back(fault.as);
    step.actions.emplace_back(FaultAction{std::move(fault)});
  }
  for (std::string& name : in_place) {
    end.actions.emplace_back(HealAction{std::move(name)});
  }
  return story;
}

}  // namespace watchlab::scenarios
