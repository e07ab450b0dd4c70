#pragma once

#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// Breaks the connections of watches.
[[nodiscard]] FaultEntry cut_watch();

}  // namespace watchlab::sim
