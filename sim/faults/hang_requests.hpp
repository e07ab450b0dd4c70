#pragma once

#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// Leaves requests without an answer.
[[nodiscard]] FaultEntry hang_requests();

}  // namespace watchlab::sim
