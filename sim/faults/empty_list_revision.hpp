#pragma once

#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// Answers lists without a revision.
[[nodiscard]] FaultEntry empty_list_revision();

}  // namespace watchlab::sim
