#pragma once

#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// Sends bookmarks from the future.
[[nodiscard]] FaultEntry bookmark_ahead();

}  // namespace watchlab::sim
