#pragma once

#include "sim/faults/fault_entry.hpp"

namespace watchlab::sim {

/// Lets messages come late.
[[nodiscard]] FaultEntry delay();

}  // namespace watchlab::sim
