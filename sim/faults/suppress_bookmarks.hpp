#pragma once

#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// Sends no bookmarks, not even those that end initial events.
[[nodiscard]] FaultEntry suppress_bookmarks();

}  // namespace watchlab::sim
