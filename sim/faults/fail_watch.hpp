#pragma once

#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// Answers watches with a failure instead of opening a stream.
[[nodiscard]] FaultEntry fail_watch();

}  // namespace watchlab::sim
