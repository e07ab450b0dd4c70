#pragma once

// How an invariant is asked from the process that has the queue.
#include "exercises/16-state-it/invariants.hpp"
#include "exercises/toolkit/search.hpp"

namespace watchlab::exercise {

/// How an invariant is broken: by which step of which run; empty when it is not. Plays a small
/// story on the queue, in every order that there is with one preemption.
[[nodiscard]] course::Findings failures_of(const Invariant& invariant);

/// What the process of the library has.
using LibraryFunctions = course::Methods<&failures_of>;

}  // namespace watchlab::exercise
