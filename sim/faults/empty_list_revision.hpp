#pragma once

#include "sim/faults/fault_entry.hpp"

namespace watchlab::sim {

/// Answers lists without a revision.
[[nodiscard]] FaultEntry empty_list_revision();

}  // namespace watchlab::sim
