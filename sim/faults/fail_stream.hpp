#pragma once

#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// Sends an ERROR event into watches, which end with it.
[[nodiscard]] FaultEntry fail_stream();

}  // namespace watchlab::sim
