#pragma once

#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// Sends ERROR events whose Status does not say its kind.
[[nodiscard]] FaultEntry nameless_error();

}  // namespace watchlab::sim
