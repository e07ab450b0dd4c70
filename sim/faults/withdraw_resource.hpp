#pragma once

#include "sim/faults/fault_entry.hpp"

namespace watchlab::sim {

/// Takes a collection away: its watches end, its requests find nothing.
[[nodiscard]] FaultEntry withdraw_resource();

}  // namespace watchlab::sim
