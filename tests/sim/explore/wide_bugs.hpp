#pragma once

#include <vector>

#include "tests/sim/explore/planted.hpp"

namespace watchlab::tests {

/// Programs of many tasks with one known mistake each. When no task is interrupted, any order of
/// so many tasks is possible, so that the runs with few preemptions cannot all be looked through.
/// `noise` means nothing to them.
[[nodiscard]] const std::vector<Planted>& wide_bugs();

}  // namespace watchlab::tests
