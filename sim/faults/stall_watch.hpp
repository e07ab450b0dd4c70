#pragma once

#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// Holds the events of open watches back for a while.
[[nodiscard]] FaultEntry stall_watch();

}  // namespace watchlab::sim
