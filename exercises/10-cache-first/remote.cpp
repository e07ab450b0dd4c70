// The functions of the student's library, as the tests call them.
#include "exercises/10-cache-first/remote.hpp"

namespace watchlab::exercise {

std::unique_ptr<Processor> make_processor(runtime::Runtime& runtime, Cache& cache) {
  return course::call_library<&make_processor, LibraryFunctions>(runtime, cache);
}

}  // namespace watchlab::exercise
