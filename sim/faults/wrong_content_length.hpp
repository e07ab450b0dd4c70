#pragma once

#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// Answers with a length that the body does not have.
[[nodiscard]] FaultEntry wrong_content_length();

}  // namespace watchlab::sim
