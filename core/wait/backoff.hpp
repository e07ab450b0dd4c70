#pragma once

#include "core/runtime/random.hpp"
#include "core/runtime/time.hpp"

namespace watchlab::wait {

/// Lengthens `delay` by a random part of itself: the answer is uniform in
/// [delay, delay + factor * delay). A factor that is not positive counts as 1.
/// Mirrors apimachinery util/wait/wait.go, Jitter.
[[nodiscard]] runtime::Duration jitter(runtime::Random& random, runtime::Duration delay,
                                       double factor);

/// A growing delay, as a value that changes with each step. A plain struct: whoever copies it has
/// the state at that moment. Not to be shared between tasks.
/// Mirrors apimachinery util/wait/backoff.go, Backoff.
struct Backoff {
  runtime::Duration duration{};  ///< the next delay, before jitter
  double factor = 0.0;           ///< multiplies the delay at each step; 0 keeps it
  double jitter = 0.0;           ///< random part added to what is handed out; 0 adds nothing
  int steps = 0;                 ///< how often the delay still grows
  runtime::Duration cap{};       ///< the delay never grows above it; zero for no bound

  /// Hands out the present delay, with jitter, and grows the next one. Once the steps are used up,
  /// or the cap is reached, nothing changes any more. The jitter is never part of what grows.
  [[nodiscard]] runtime::Duration step(runtime::Random& random);
};

}  // namespace watchlab::wait
