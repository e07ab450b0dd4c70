#pragma once

#include <cstddef>

#include "sim/faults/fault_parameters.hpp"

namespace watchlab::sim {

/// The parameter `server`: which one of several.
[[nodiscard]] inline std::size_t server_in(const FaultParameters& parameters) {
  return static_cast<std::size_t>(parameters.integer("server"));
}

}  // namespace watchlab::sim
