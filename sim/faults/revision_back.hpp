#pragma once

#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// Lets the revisions of events go back.
[[nodiscard]] FaultEntry revision_back();

}  // namespace watchlab::sim
