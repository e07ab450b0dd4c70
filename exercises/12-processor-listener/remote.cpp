// The functions of the student's library, as the tests call them.
#include "exercises/12-processor-listener/remote.hpp"

namespace watchlab::exercise {

std::unique_ptr<Listener> make_listener(runtime::Runtime& runtime, Handler& handler,
                                        const Informer& informer, runtime::Duration resync_period) {
  return course::call_library<&make_listener, LibraryFunctions>(runtime, handler, informer,
                                                                resync_period);
}

}  // namespace watchlab::exercise
