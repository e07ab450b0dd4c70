#pragma once

#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// Stops progress notifications: quiet collections stay at old revisions.
[[nodiscard]] FaultEntry stop_progress();

}  // namespace watchlab::sim
