#pragma once

#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// Puts bytes that are no JSON in the place of events.
[[nodiscard]] FaultEntry garble_event();

}  // namespace watchlab::sim
