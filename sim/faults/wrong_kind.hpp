#pragma once

#include "sim/faults/fault_entry.hpp"

namespace watchlab::sim {

/// Sends objects of another kind.
[[nodiscard]] FaultEntry wrong_kind();

}  // namespace watchlab::sim
