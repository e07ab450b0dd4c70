// What the process of the library does for tests that are in another one.
#include <utility>

#include "exercises/08t-reflector-tests/remote.hpp"

namespace watchlab::exercise {

std::unique_ptr<course::ServedRun> serve_reflector(runtime::Runtime& runtime,
                                                   std::shared_ptr<cache::ListerWatcher> source,
                                                   Mirror& mirror) {
  return std::make_unique<course::LocalRun<Reflector>>(
      runtime, make_reflector(runtime, std::move(source), mirror));
}

}  // namespace watchlab::exercise
