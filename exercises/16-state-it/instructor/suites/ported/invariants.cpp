// What client-go's own tests of DeltaFIFO and RealFIFO look at, said as sentences.
#include "exercises/16-state-it/invariants.hpp"

#include <map>

namespace watchlab::exercise {
namespace {

/// TestDeltaFIFO_ReplaceMakesDeletions and TestRealFIFO_ReplaceMakesDeletions, by what is stored.
std::map<std::string, int> truth_of(const Moment& moment) {
  std::map<std::string, int> truth;
  for (const Step& step : moment.steps) {
    if (step.deed == Deed::Put) {
      truth[step.entry.name] = step.entry.version;
    } else if (step.deed == Deed::Removed) {
      truth.erase(step.entry.name);
    } else if (step.deed == Deed::Listed) {
      truth.clear();
      for (const Entry& entry : step.entries) {
        truth[entry.name] = entry.version;
      }
    }
  }
  return truth;
}

bool at_rest_the_store_is_the_truth(const Moment& moment) {
  std::map<std::string, int> stored;
  for (const Entry& entry : moment.stored) {
    stored[entry.name] = entry.version;
  }
  return !moment.at_rest || stored == truth_of(moment);
}

}  // namespace

std::vector<Invariant> invariants() {
  return {{"at_rest_the_store_is_the_truth", at_rest_the_store_is_the_truth}};
}

}  // namespace watchlab::exercise
