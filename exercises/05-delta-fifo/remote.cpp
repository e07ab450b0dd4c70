// The functions of the student's library, as the tests call them.
#include "exercises/05-delta-fifo/remote.hpp"

namespace watchlab::exercise {

std::unique_ptr<DeltaQueue> make_queue(runtime::Runtime& runtime, const Known& known) {
  return course::call_library<&make_queue, LibraryFunctions>(runtime, known);
}

}  // namespace watchlab::exercise
