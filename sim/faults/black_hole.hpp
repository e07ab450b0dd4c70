#pragma once

#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// Lets connections go silent without an end.
[[nodiscard]] FaultEntry black_hole();

}  // namespace watchlab::sim
