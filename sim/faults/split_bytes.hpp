#pragma once

#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// Lets messages come in small pieces.
[[nodiscard]] FaultEntry split_bytes();

}  // namespace watchlab::sim
