#pragma once

#include "sim/faults/fault_entry.hpp"

namespace watchlab::sim {

/// Sends an interim response before answers.
[[nodiscard]] FaultEntry interim_response();

}  // namespace watchlab::sim
