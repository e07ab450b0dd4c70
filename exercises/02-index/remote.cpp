// The functions of the library under test, as the tests call them.
#include "exercises/02-index/remote.hpp"

namespace watchlab::exercise {

std::unique_ptr<IndexedStore> make_store(runtime::Runtime& runtime) {
  return course::call_library<&make_store, LibraryFunctions>(runtime);
}

}  // namespace watchlab::exercise
