#pragma once

#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// Lets the watch cache windows move on, so that older watches get an in-stream 410.
[[nodiscard]] FaultEntry evict_watch_window();

}  // namespace watchlab::sim
