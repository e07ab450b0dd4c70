#pragma once

#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// Lets messages come late.
[[nodiscard]] FaultEntry delay();

}  // namespace watchlab::sim
