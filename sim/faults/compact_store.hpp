#pragma once

#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// Compacts the store: exact lists and continue tokens break, watches do not notice.
[[nodiscard]] FaultEntry compact_store();

}  // namespace watchlab::sim
