#pragma once

#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// Puts a size that is no number before events.
[[nodiscard]] FaultEntry break_chunk_line();

}  // namespace watchlab::sim
