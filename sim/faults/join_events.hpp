#pragma once

#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// Lets several events leave together.
[[nodiscard]] FaultEntry join_events();

}  // namespace watchlab::sim
