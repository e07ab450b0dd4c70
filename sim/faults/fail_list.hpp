#pragma once

#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// Answers lists with a failure.
[[nodiscard]] FaultEntry fail_list();

}  // namespace watchlab::sim
