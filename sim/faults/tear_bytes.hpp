#pragma once

#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// Ends connections after a part of a message.
[[nodiscard]] FaultEntry tear_bytes();

}  // namespace watchlab::sim
