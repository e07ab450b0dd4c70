#pragma once

#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// A server's watch caches fill themselves again: what they would serve gets a 429.
[[nodiscard]] FaultEntry cache_not_ready();

}  // namespace watchlab::sim
