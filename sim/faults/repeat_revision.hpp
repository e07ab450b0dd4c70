#pragma once

#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// Gives events the revision of the event before them.
[[nodiscard]] FaultEntry repeat_revision();

}  // namespace watchlab::sim
