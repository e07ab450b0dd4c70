#pragma once

#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// Leaves out the line feed after events.
[[nodiscard]] FaultEntry omit_newline();

}  // namespace watchlab::sim
