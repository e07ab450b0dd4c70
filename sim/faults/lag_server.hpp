#pragma once

#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// Lets a server learn of everything later.
[[nodiscard]] FaultEntry lag_server();

}  // namespace watchlab::sim
