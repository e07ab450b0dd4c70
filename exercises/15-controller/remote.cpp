// The functions of the student's library, as the tests call them.
#include "exercises/15-controller/remote.hpp"

namespace watchlab::exercise {

std::unique_ptr<Controller> make_controller(runtime::Runtime& runtime, const Cache& cache,
                                            Server& server) {
  return course::call_library<&make_controller, LibraryFunctions>(runtime, cache, server);
}

}  // namespace watchlab::exercise
