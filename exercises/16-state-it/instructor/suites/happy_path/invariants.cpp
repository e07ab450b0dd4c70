// The sentence that comes to mind first: what is gone does not wait.
#include "exercises/16-state-it/invariants.hpp"

#include <algorithm>
#include <map>

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

}  // namespace

std::vector<Invariant> invariants() { return {{"what_waits_is_due", what_waits_is_due}}; }

}  // namespace watchlab::exercise
