// The functions of the student's library, as the tests call them.
#include "exercises/08-reflector/remote.hpp"

namespace watchlab::exercise {

std::unique_ptr<Reflector> make_reflector(runtime::Runtime& runtime, Server& server, Store& store) {
  return course::call_library<&make_reflector, LibraryFunctions>(runtime, server, store);
}

}  // namespace watchlab::exercise
