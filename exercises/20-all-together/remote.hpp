#pragma once

// How the pipeline is called from the process of the tests.
#include <memory>

#include "exercises/20-all-together/subject.hpp"
#include "exercises/toolkit/cluster_server.hpp"
#include "exercises/toolkit/remote_run.hpp"

namespace watchlab::exercise {

[[nodiscard]] std::unique_ptr<course::ServedRun> serve_pipeline(
    runtime::Runtime& runtime, std::shared_ptr<cache::ListerWatcher> source, Mirror& mirror,
    runtime::Duration work);

/// What the process of the library has.
using LibraryFunctions = course::Methods<&serve_pipeline>;

}  // namespace watchlab::exercise
