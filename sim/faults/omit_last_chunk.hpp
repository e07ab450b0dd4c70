#pragma once

#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// Closes connections where a response should end in order.
[[nodiscard]] FaultEntry omit_last_chunk();

}  // namespace watchlab::sim
