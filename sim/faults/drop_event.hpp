#pragma once

#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// Loses events without a trace.
[[nodiscard]] FaultEntry drop_event();

}  // namespace watchlab::sim
