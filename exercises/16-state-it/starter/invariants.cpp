// The sentences that you state of a queue. Read subject.hpp and invariants.hpp first.
#include "exercises/16-state-it/invariants.hpp"

namespace watchlab::exercise {
namespace {

// To show the form. It is wrong: name a moment at which it is false, and state something better.
bool one_change_comes_out_of_a_pop(const Moment& moment) {
  return moment.steps.back().deed != Deed::Popped || moment.steps.back().entries.size() == 1;
}

}  // namespace

std::vector<Invariant> invariants() {
  return {{"one_change_comes_out_of_a_pop", one_change_comes_out_of_a_pop}};
}

}  // namespace watchlab::exercise
