#pragma once

#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// Lets nobody listen: each new request is refused.
[[nodiscard]] FaultEntry refuse_connections();

}  // namespace watchlab::sim
