#pragma once

#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// Puts bytes that mean nothing in the place of what a message carries.
[[nodiscard]] FaultEntry garble_bytes();

}  // namespace watchlab::sim
