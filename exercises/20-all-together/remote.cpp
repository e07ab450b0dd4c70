// The functions of the library under test, as the tests call them.
#include "exercises/20-all-together/remote.hpp"

namespace watchlab::exercise {

std::unique_ptr<Pipeline> make_pipeline(runtime::Runtime& runtime,
                                        std::shared_ptr<cache::ListerWatcher> source,
                                        Mirror& mirror, runtime::Duration work) {
  return std::make_unique<course::RunElsewhere<Pipeline>>(
      runtime,
      course::call_library<&serve_pipeline, LibraryFunctions>(runtime, source, mirror, work));
}

}  // namespace watchlab::exercise
