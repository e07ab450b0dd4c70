#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "scenarios/fuzz/story_generator.hpp"
#include "scenarios/fuzz/swarm_faults.hpp"

namespace watchlab::scenarios {

Scenario over_the_wire(Scenario story, std::uint64_t seed) {
  sim::RandomNumbers numbers(seed * 2 + 1);
  story.transport = sim::Transport::Wire;
  std::vector<Action> heals;
  for (std::size_t i = 0; i + 1 < story.script.size(); ++i) {
    if (numbers.below(3) == 0) {
      sim::FaultSketch fault = draw_wire_fault(numbers);
      fault.as = fmt::format("bytes{}", heals.size());
      heals.emplace_back(HealAction{fault.as});
      story.script[i].actions.emplace_back(FaultAction{std::move(fault)});
    }
  }
  // The last step heals.
  std::vector<Action>& last = story.script.back().actions;
  last.insert(last.end(), heals.begin(), heals.end());
  return story;
}

}  // namespace watchlab::scenarios
