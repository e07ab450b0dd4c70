#pragma once

#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// Puts an earlier state of the store back.
[[nodiscard]] FaultEntry restore_backup();

}  // namespace watchlab::sim
