// The functions of the student's library, as the tests call them.
#include "exercises/01-store/remote.hpp"

namespace watchlab::exercise {

std::string key_of(const api::ObjectPtr& object) {
  return course::call_library<&key_of, LibraryFunctions>(object);
}

std::unique_ptr<Store> make_store(runtime::Runtime& runtime) {
  return course::call_library<&make_store, LibraryFunctions>(runtime);
}

}  // namespace watchlab::exercise
