#pragma once

#include <chrono>

#include "core/runtime/time.hpp"

namespace watchlab::metrics {

/// A duration as Prometheus wants it.
[[nodiscard]] inline double in_seconds(runtime::Duration duration) {
  return std::chrono::duration<double>(duration).count();
}

}  // namespace watchlab::metrics
