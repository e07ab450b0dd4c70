#pragma once

#include "sim/faults/fault_entry.hpp"

namespace watchlab::sim {

/// Sends events without an object.
[[nodiscard]] FaultEntry empty_event();

}  // namespace watchlab::sim
