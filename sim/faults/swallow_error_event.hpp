#pragma once

#include "sim/faults/fault_entry.hpp"

namespace watchlab::sim {

/// Ends streams silently where an ERROR event should come.
[[nodiscard]] FaultEntry swallow_error_event();

}  // namespace watchlab::sim
