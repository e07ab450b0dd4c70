#pragma once

#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// Ends watches in an orderly way: the response is complete.
[[nodiscard]] FaultEntry close_watch();

}  // namespace watchlab::sim
