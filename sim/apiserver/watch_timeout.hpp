#pragma once

#include <algorithm>
#include <optional>

#include "core/api/options.hpp"
#include "core/runtime/time.hpp"

namespace watchlab::sim {

/// How long the client wants its watch to last; nothing when it does not say. More than a year is a
/// year, so that whatever number came in over the wire can be added to a time.
[[nodiscard]] inline std::optional<runtime::Duration> asked_timeout(
    const api::ListOptions& options) {
  constexpr std::chrono::seconds kLongest = std::chrono::hours(24 * 365);
  if (options.timeout_seconds <= 0) {
    return std::nullopt;
  }
  return std::min(std::chrono::seconds(options.timeout_seconds), kLongest);
}

}  // namespace watchlab::sim
