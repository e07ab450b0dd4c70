#pragma once

#include "sim/faults/fault_entry.hpp"

namespace watchlab::sim {

/// Lets several events leave together.
[[nodiscard]] FaultEntry join_events();

}  // namespace watchlab::sim
