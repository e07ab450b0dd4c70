#pragma once

#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// Cuts a server off from the store: it goes on with what it has.
[[nodiscard]] FaultEntry freeze_server();

}  // namespace watchlab::sim
