#pragma once

#include "sim/faults/fault_entry.hpp"

namespace watchlab::sim {

/// Sends ERROR events whose Status does not say its kind.
[[nodiscard]] FaultEntry nameless_error();

}  // namespace watchlab::sim
