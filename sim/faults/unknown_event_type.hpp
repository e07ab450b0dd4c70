#pragma once

#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// Gives events a type that clients do not know.
[[nodiscard]] FaultEntry unknown_event_type();

}  // namespace watchlab::sim
