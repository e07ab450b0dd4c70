#pragma once

#include <optional>

#include "core/runtime/random.hpp"
#include "core/runtime/runtime.hpp"
#include "core/runtime/timer.hpp"
#include "core/wait/backoff.hpp"

namespace watchlab::wait {

/// Says how long to wait before the next try. One for all retries of one loop, so that failures of
/// different requests grow the same delay. Not to be shared between tasks.
/// Mirrors apimachinery util/wait/backoff.go, BackoffManager.
class BackoffManager {
 public:
  explicit BackoffManager(runtime::Runtime& runtime) : runtime_(runtime) {}
  BackoffManager(const BackoffManager&) = delete;
  BackoffManager& operator=(const BackoffManager&) = delete;
  virtual ~BackoffManager() = default;

  /// Arms the one timer of this manager with the next delay and returns it. Whoever stops waiting
  /// before it fired must stop and drain it, or the next wait ends at once (see `wait_for_timer`).
  runtime::Timer& backoff();
  /// What `backoff` handed out last; zero before its first call. For narration.
  [[nodiscard]] runtime::Duration last_delay() const { return last_delay_; }

  /// The next delay alone, without arming the timer. Counts as a call.
  [[nodiscard]] virtual runtime::Duration next() = 0;

 protected:
  [[nodiscard]] runtime::Runtime& runtime() { return runtime_; }

 private:
  runtime::Runtime& runtime_;
  std::optional<runtime::Timer> timer_;
  runtime::Duration last_delay_{};
};

/// Of an exponential backoff; the defaults are the reflector's.
struct ExponentialBackoffOptions {
  runtime::Duration initial = std::chrono::milliseconds(800);
  runtime::Duration cap = std::chrono::seconds(30);
  /// So long without a call and the delay starts again from `initial`.
  runtime::Duration reset_after = std::chrono::minutes(2);
  double factor = 2.0;
  double jitter = 1.0;
};

/// Delays that grow by a factor up to a cap, with jitter. They start again once more than
/// `reset_after` has passed since the *previous call*: the delay itself counts as quiet time.
/// The default options are the reflector's: 0.8 s, 1.6 s, 3.2 s … 30 s, each stretched at random to
/// up to twice its length. Mirrors apimachinery 0.32 util/wait/backoff.go,
/// exponentialBackoffManagerImpl. The present release replaced it (see docs/port_map.md).
class ExponentialBackoffManager : public BackoffManager {
 public:
  explicit ExponentialBackoffManager(runtime::Runtime& runtime,
                                     ExponentialBackoffOptions options = {});

  [[nodiscard]] runtime::Duration next() override;

 private:
  ExponentialBackoffOptions options_;
  runtime::Random random_;
  Backoff growth_;
  runtime::TimePoint previous_call_;
};

/// The same delay each time, with jitter when `jitter` is positive.
/// Mirrors apimachinery util/wait/backoff.go, jitteredBackoffManagerImpl.
class JitteredBackoffManager : public BackoffManager {
 public:
  JitteredBackoffManager(runtime::Runtime& runtime, runtime::Duration period, double jitter);

  [[nodiscard]] runtime::Duration next() override;

 private:
  runtime::Duration period_;
  double jitter_;
  std::optional<runtime::Random> random_;  ///< only where there is jitter
};

}  // namespace watchlab::wait
