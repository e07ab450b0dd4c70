// The functions of the library under test, as the tests call them.
#include "exercises/14-work-queue/remote.hpp"

namespace watchlab::exercise {

std::unique_ptr<WorkQueue> make_work_queue(runtime::Runtime& runtime) {
  return course::call_library<&make_work_queue, LibraryFunctions>(runtime);
}

}  // namespace watchlab::exercise
