// The functions of the library under test, as the tests call them.
#include "exercises/01t-store-tests/remote.hpp"

namespace watchlab::exercise {

std::unique_ptr<Store> make_store(runtime::Runtime& runtime) {
  return course::call_library<&make_store, LibraryFunctions>(runtime);
}

}  // namespace watchlab::exercise
