#pragma once

#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// Answers lists without their items.
[[nodiscard]] FaultEntry empty_list();

}  // namespace watchlab::sim
