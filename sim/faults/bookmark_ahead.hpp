#pragma once

#include "sim/faults/fault_entry.hpp"

namespace watchlab::sim {

/// Sends bookmarks from the future.
[[nodiscard]] FaultEntry bookmark_ahead();

}  // namespace watchlab::sim
