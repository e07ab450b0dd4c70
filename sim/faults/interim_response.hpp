#pragma once

#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// Sends an interim response before answers.
[[nodiscard]] FaultEntry interim_response();

}  // namespace watchlab::sim
