#pragma once

#include "sim/faults/fault_entry.hpp"

namespace watchlab::sim {

/// Answers lists with a failure.
[[nodiscard]] FaultEntry fail_list();

}  // namespace watchlab::sim
