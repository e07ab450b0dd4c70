#pragma once

#include "sim/faults/fault_entry.hpp"

namespace watchlab::sim {

/// Lets a server learn of everything later.
[[nodiscard]] FaultEntry lag_server();

}  // namespace watchlab::sim
