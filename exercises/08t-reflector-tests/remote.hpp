#pragma once

// How the reflector is called from the process of the tests.
#include <memory>

#include "exercises/08t-reflector-tests/subject.hpp"
#include "exercises/toolkit/cluster_server.hpp"
#include "exercises/toolkit/remote_run.hpp"

namespace watchlab::exercise {

[[nodiscard]] std::unique_ptr<course::ServedRun> serve_reflector(
    runtime::Runtime& runtime, std::shared_ptr<cache::ListerWatcher> source, Mirror& mirror);

/// What the process of the library has.
using LibraryFunctions = course::Methods<&serve_reflector>;

}  // namespace watchlab::exercise
