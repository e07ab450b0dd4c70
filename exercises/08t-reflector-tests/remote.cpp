// The functions of the library under test, as the tests call them.
#include "exercises/08t-reflector-tests/remote.hpp"

namespace watchlab::exercise {

std::unique_ptr<Reflector> make_reflector(runtime::Runtime& runtime,
                                          std::shared_ptr<cache::ListerWatcher> source,
                                          Mirror& mirror) {
  return std::make_unique<course::RunElsewhere<Reflector>>(
      runtime, course::call_library<&serve_reflector, LibraryFunctions>(runtime, source, mirror));
}

}  // namespace watchlab::exercise
