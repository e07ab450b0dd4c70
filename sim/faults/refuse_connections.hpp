#pragma once

#include "sim/faults/fault_entry.hpp"

namespace watchlab::sim {

/// Lets nobody listen: each new request is refused.
[[nodiscard]] FaultEntry refuse_connections();

}  // namespace watchlab::sim
