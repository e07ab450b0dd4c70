#pragma once

#include <optional>

#include "core/runtime/interface.hpp"
#include "core/runtime/random.hpp"
#include "core/runtime/runtime.hpp"
#include "core/runtime/time.hpp"
#include "core/runtime/timer.hpp"

namespace watchlab::wait {

/// Adds jitter to `delay`: the result is uniform in [delay, delay + factor * delay). A factor that
/// is not positive counts as 1. Mirrors apimachinery util/wait/wait.go, Jitter.
[[nodiscard]] runtime::Duration jitter(runtime::Random& random, runtime::Duration delay,
                                       double factor);

/// A growing delay, as a value that changes with each step. A plain struct, so a copy has the state
/// of that moment. Not to be shared between tasks. Mirrors apimachinery util/wait/backoff.go,
/// Backoff.
struct Backoff {
  runtime::Duration duration{};  ///< the next delay, before jitter
  double factor = 0.0;           ///< multiplies the delay at each step; 0 keeps it
  double jitter = 0.0;           ///< random part added to the returned delay; 0 for none
  int steps = 0;                 ///< how many more times the delay grows
  runtime::Duration cap{};       ///< upper bound of the delay; zero for none

  /// Returns the current delay, with jitter, and grows the next one. Once the steps are used up, or
  /// the cap is reached, nothing changes any more. The jitter is not part of what grows.
  [[nodiscard]] runtime::Duration step(runtime::Random& random);
};

/// Decides how long to wait before the next attempt. One for all retries of a loop, so that
/// failures of different requests grow the same delay. Not to be shared between tasks. Mirrors
/// apimachinery util/wait/backoff.go, BackoffManager.
class BackoffManager : public runtime::Interface {
 public:
  explicit BackoffManager(runtime::Runtime& runtime) : runtime_(runtime) {}

  /// Arms this manager's only timer with the next delay and returns it. If you stop waiting before
  /// it fires, stop and drain it, or the next wait ends at once (see `wait_for_timer`).
  runtime::Timer& backoff();
  /// The last delay that `backoff` returned; zero before its first call. For narration.
  [[nodiscard]] runtime::Duration last_delay() const { return last_delay_; }

  /// Only the next delay, without arming the timer. Counts as a call.
  [[nodiscard]] virtual runtime::Duration next() = 0;

 protected:
  [[nodiscard]] runtime::Runtime& runtime() { return runtime_; }

 private:
  runtime::Runtime& runtime_;
  std::optional<runtime::Timer> timer_;
  runtime::Duration last_delay_{};
};

/// Options of an exponential backoff; the defaults are the reflector's.
struct ExponentialBackoffOptions {
  runtime::Duration initial = std::chrono::milliseconds(800);
  runtime::Duration cap = std::chrono::seconds(30);
  /// After this time the delay starts over from `initial`. With `since_start`, zero means that it
  /// does not grow.
  runtime::Duration reset_after = std::chrono::minutes(2);
  /// What the time counts from: by default the previous call, so that the delay itself counts as
  /// quiet time; with `since_start` the last start, so that something that fails for long is
  /// retried quickly again every two minutes.
  bool since_start = false;
  double factor = 2.0;
  double jitter = 1.0;
};

/// Delays that grow by a factor up to a cap, with jitter, and start over after a while. The default
/// options are the reflector's: 0.8 s, 1.6 s, 3.2 s … 30 s, each stretched at random to up to twice
/// its length. Mirrors apimachinery 0.32 util/wait/backoff.go, exponentialBackoffManagerImpl, and
/// with `since_start` Backoff.DelayWithReset of 0.36.
class ExponentialBackoffManager : public BackoffManager {
 public:
  explicit ExponentialBackoffManager(runtime::Runtime& runtime,
                                     ExponentialBackoffOptions options = {});

  [[nodiscard]] runtime::Duration next() override;

 private:
  ExponentialBackoffOptions options_;
  runtime::Random random_;
  Backoff growth_;
  runtime::TimePoint since_;
};

/// Always the same delay, with jitter if `jitter` is positive. Mirrors apimachinery
/// util/wait/backoff.go, jitteredBackoffManagerImpl.
class JitteredBackoffManager : public BackoffManager {
 public:
  JitteredBackoffManager(runtime::Runtime& runtime, runtime::Duration period, double jitter);

  [[nodiscard]] runtime::Duration next() override;

 private:
  runtime::Duration period_;
  double jitter_;
  std::optional<runtime::Random> random_;  ///< only with jitter
};

}  // namespace watchlab::wait
