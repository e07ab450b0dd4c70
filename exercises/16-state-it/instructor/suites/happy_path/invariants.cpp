// The sentence that comes to mind first: at rest nothing is stored that is gone.
#include "exercises/16-state-it/invariants.hpp"

#include <algorithm>
#include <set>

namespace watchlab::exercise {
namespace {

bool nothing_else_is_stored_at_rest(const Moment& moment) {
  std::set<std::string> there;
  for (const Step& step : moment.steps) {
    if (step.deed == Deed::Put) {
      there.insert(step.entry.name);
    } else if (step.deed == Deed::Removed) {
      there.erase(step.entry.name);
    } else if (step.deed == Deed::Listed) {
      there.clear();
      for (const Entry& entry : step.entries) {
        there.insert(entry.name);
      }
    }
  }
  return !moment.at_rest || std::ranges::all_of(moment.stored, [&](const Entry& entry) {
    return there.contains(entry.name);
  });
}

}  // namespace

std::vector<Invariant> invariants() {
  return {{"nothing_else_is_stored_at_rest", nothing_else_is_stored_at_rest}};
}

}  // namespace watchlab::exercise
