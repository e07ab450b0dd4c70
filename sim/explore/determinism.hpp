#pragma once

#include <functional>
#include <optional>

#include "core/runtime/runtime.hpp"
#include "sim/kernel/failure.hpp"
#include "sim/kernel/run_result.hpp"
#include "sim/kernel/schedule.hpp"

namespace watchlab::sim {

class World;

/// Plays in that world what was just played there once more. A failure of kind divergence, which
/// names the first step that differs, when it went another way.
[[nodiscard]] std::optional<Failure> check_determinism(
    World& world, const RunResult& first, const Schedule& schedule,
    const std::function<void(runtime::Runtime&)>& body);

}  // namespace watchlab::sim
