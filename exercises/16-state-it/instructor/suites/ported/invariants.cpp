// What client-go's own tests of its FIFO look at, said as sentences.
#include "exercises/16-state-it/invariants.hpp"

#include <algorithm>
#include <map>
#include <string>

namespace watchlab::exercise {
namespace {

/// What must wait: what was added, in the last state, and neither popped nor removed since.
std::map<std::string, int> due(const Moment& moment, std::size_t steps) {
  std::map<std::string, int> due;
  for (std::size_t i = 0; i < steps; ++i) {
    const auto& [deed, entry] = moment.steps[i];
    if (deed == Deed::Added) {
      due[entry.name] = entry.version;
    } else {
      due.erase(entry.name);
    }
  }
  return due;
}

bool what_waits_is_due(const Moment& moment) {
  const auto all = due(moment, moment.steps.size());
  return std::ranges::all_of(moment.waiting,
                             [&](const Entry& entry) { return all.contains(entry.name); });
}

/// TestFIFO_basic: each producer's objects come in its order. The first pop is enough.
bool the_first_pop_is_of_the_first(const Moment& moment) {
  const Step& last = moment.steps.back();
  const bool only_adds_before =
      std::all_of(moment.steps.begin(), moment.steps.end() - 1,
                  [](const Step& step) { return step.deed == Deed::Added; });
  return last.deed != Deed::Popped || !only_adds_before ||
         last.entry.name == moment.steps.front().entry.name;
}

}  // namespace

std::vector<Invariant> invariants() {
  return {{"what_waits_is_due", what_waits_is_due},
          {"the_first_pop_is_of_the_first", the_first_pop_is_of_the_first}};
}

}  // namespace watchlab::exercise
