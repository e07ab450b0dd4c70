#pragma once

#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// Sends objects of another kind.
[[nodiscard]] FaultEntry wrong_kind();

}  // namespace watchlab::sim
