#pragma once

#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// Lets a proxy hold events back and send them in bursts.
[[nodiscard]] FaultEntry buffer_events();

}  // namespace watchlab::sim
