// Nothing: others rank above it.
#include "exercises/16-state-it/invariants.hpp"

namespace watchlab::exercise {

std::vector<Invariant> invariants() { return {}; }

}  // namespace watchlab::exercise
