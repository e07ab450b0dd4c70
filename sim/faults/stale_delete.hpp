#pragma once

#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// Gives DELETED events the revision that the object had before.
[[nodiscard]] FaultEntry stale_delete();

}  // namespace watchlab::sim
