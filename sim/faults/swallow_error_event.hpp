#pragma once

#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// Ends streams silently where an ERROR event should come.
[[nodiscard]] FaultEntry swallow_error_event();

}  // namespace watchlab::sim
