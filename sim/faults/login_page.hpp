#pragma once

#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// Answers requests with a page of HTML.
[[nodiscard]] FaultEntry login_page();

}  // namespace watchlab::sim
