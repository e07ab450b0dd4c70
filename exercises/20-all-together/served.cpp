// What the process of the library does for tests that are in another one.
#include <utility>

#include "exercises/20-all-together/remote.hpp"

namespace watchlab::exercise {

std::unique_ptr<course::ServedRun> serve_pipeline(runtime::Runtime& runtime,
                                                  std::shared_ptr<cache::ListerWatcher> source,
                                                  Mirror& mirror, runtime::Duration work) {
  return std::make_unique<course::LocalRun<Pipeline>>(
      runtime, make_pipeline(runtime, std::move(source), mirror, work));
}

}  // namespace watchlab::exercise
