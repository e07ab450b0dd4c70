// The functions of the library under test, as the tests call them.
#include "exercises/04-fifo/remote.hpp"

namespace watchlab::exercise {

std::unique_ptr<Queue> make_queue(runtime::Runtime& runtime) {
  return course::call_library<&make_queue, LibraryFunctions>(runtime);
}

}  // namespace watchlab::exercise
