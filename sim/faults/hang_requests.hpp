#pragma once

#include "sim/faults/fault_entry.hpp"

namespace watchlab::sim {

/// Leaves requests without an answer.
[[nodiscard]] FaultEntry hang_requests();

}  // namespace watchlab::sim
