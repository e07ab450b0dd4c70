#pragma once

#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// Takes a collection away: its watches end, its requests find nothing.
[[nodiscard]] FaultEntry withdraw_resource();

}  // namespace watchlab::sim
