#pragma once

#include "sim/faults/fault_entry.hpp"

namespace watchlab::sim {

/// Answers watches with a failure instead of opening a stream.
[[nodiscard]] FaultEntry fail_watch();

}  // namespace watchlab::sim
