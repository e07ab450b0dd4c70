// What the process of the library does, as the tests ask for it.
#include "exercises/16-state-it/remote.hpp"

namespace watchlab::exercise {

course::Findings failures_of(const Invariant& invariant) {
  return course::call_library<&failures_of, LibraryFunctions>(invariant);
}

}  // namespace watchlab::exercise
