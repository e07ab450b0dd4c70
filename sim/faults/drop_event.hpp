#pragma once

#include "sim/faults/fault_entry.hpp"

namespace watchlab::sim {

/// Loses events without a trace.
[[nodiscard]] FaultEntry drop_event();

}  // namespace watchlab::sim
