// The functions of the library under test, as the tests call them.
#include "tests/exercises/grader/hostile/90-counter/remote.hpp"

namespace watchlab::exercise {

std::unique_ptr<Counter> make_counter(runtime::Runtime& runtime) {
  return course::call_library<&make_counter, LibraryFunctions>(runtime);
}

}  // namespace watchlab::exercise
