#pragma once

#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// Restarts a server: its watches end and its history is gone.
[[nodiscard]] FaultEntry restart_server();

}  // namespace watchlab::sim
