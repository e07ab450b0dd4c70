// The sentences that you state of a queue. Read subject.hpp and invariants.hpp first.
#include "exercises/16-state-it/invariants.hpp"

namespace watchlab::exercise {
namespace {

// To show the form. It is wrong: name a moment at which it is false, and state something better.
bool nothing_waits_after_a_pop(const Moment& moment) {
  return moment.steps.back().deed != Deed::Popped || moment.waiting.empty();
}

}  // namespace

std::vector<Invariant> invariants() {
  return {{"nothing_waits_after_a_pop", nothing_waits_after_a_pop}};
}

}  // namespace watchlab::exercise
