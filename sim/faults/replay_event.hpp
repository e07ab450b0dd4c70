#pragma once

#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// Delivers an old event again, after newer ones.
[[nodiscard]] FaultEntry replay_event();

}  // namespace watchlab::sim
