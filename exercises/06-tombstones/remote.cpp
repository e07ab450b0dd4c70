// The functions of the library under test, as the tests call them.
#include "exercises/06-tombstones/remote.hpp"

namespace watchlab::exercise {

std::unique_ptr<ChangeQueue> make_queue(runtime::Runtime& runtime,
                                        std::vector<api::ObjectPtr> stored) {
  return course::call_library<&make_queue, LibraryFunctions>(runtime, stored);
}

}  // namespace watchlab::exercise
