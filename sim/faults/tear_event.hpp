#pragma once

#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// Breaks streams in the middle of an event.
[[nodiscard]] FaultEntry tear_event();

}  // namespace watchlab::sim
