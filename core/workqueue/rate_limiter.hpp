#pragma once

#include <cstddef>
#include <string>

#include "core/runtime/time.hpp"

namespace watchlab::workqueue {

/// Says how long a key shall wait before it is tried again. Any task may call any function.
/// Mirrors client-go util/workqueue/default_rate_limiters.go, TypedRateLimiter.
class RateLimiter {
 public:
  RateLimiter() = default;
  RateLimiter(const RateLimiter&) = delete;
  RateLimiter& operator=(const RateLimiter&) = delete;
  virtual ~RateLimiter() = default;

  /// The wait before the next try. Counts as a failure of the key.
  [[nodiscard]] virtual runtime::Duration when(const std::string& key) = 0;
  /// The key is through, or given up: its failures no longer count.
  virtual void forget(const std::string& key) = 0;
  /// Failures since the key was last forgotten.
  [[nodiscard]] virtual std::size_t num_requeues(const std::string& key) const = 0;
};

}  // namespace watchlab::workqueue
