#pragma once

#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// Sends events without an object.
[[nodiscard]] FaultEntry empty_event();

}  // namespace watchlab::sim
