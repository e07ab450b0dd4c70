#pragma once

#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// Answers requests of any kind with a failure.
[[nodiscard]] FaultEntry fail_requests();

}  // namespace watchlab::sim
