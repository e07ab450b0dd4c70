#pragma once

#include <cstdint>

#include "sim/kernel/strategy.hpp"

namespace watchlab::sim {

/// The index that the scheduler has for the `value`-th alternative, when alternatives that stand
/// for tasks are ordered by identity and not by arrival: the order of arrival differs between runs
/// that are otherwise equivalent.
[[nodiscard]] std::uint32_t canonical_index(const Choice& choice, std::uint32_t value);

}  // namespace watchlab::sim
