#pragma once

#include "sim/faults/fault_entry.hpp"

namespace watchlab::sim {

/// Ends connections after a part of a message.
[[nodiscard]] FaultEntry tear_bytes();

}  // namespace watchlab::sim
