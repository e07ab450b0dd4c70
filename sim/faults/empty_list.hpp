#pragma once

#include "sim/faults/fault_entry.hpp"

namespace watchlab::sim {

/// Answers lists without their items.
[[nodiscard]] FaultEntry empty_list();

}  // namespace watchlab::sim
