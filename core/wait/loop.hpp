#pragma once

#include <functional>

#include "core/runtime/runtime.hpp"
#include "core/runtime/stop_token.hpp"
#include "core/wait/backoff.hpp"

/// Loops that repeat a body until they are stopped. All of them check the stop token before each
/// run, so a body never starts after its stop was seen; the stop also ends their pauses at once. A
/// panic of the body leaves the loop: the caller decides what to do with it, using
/// `runtime::recover`.
namespace watchlab::wait {

/// When the pause after a run starts to count.
enum class Pause : std::uint8_t {
  Sliding,     ///< after the body returns
  NonSliding,  ///< when the body is called, so a slow body shortens the pause
};

/// Runs `body`, pauses as long as the manager says, and repeats. If the token is already stopped,
/// it does not run at all. Mirrors apimachinery 0.32 util/wait/backoff.go, BackoffUntil.
void backoff_until(runtime::Runtime& runtime, BackoffManager& manager, Pause pause,
                   const runtime::StopToken& stop, const std::function<void()>& body);

/// How long a loop pauses between two runs of its body.
struct JitterOptions {
  runtime::Duration period{};
  double factor = 0.0;  ///< 0 for no jitter
  Pause pause = Pause::Sliding;
};

/// `backoff_until` with a constant pause, stretched at random. Mirrors apimachinery
/// util/wait/backoff.go, JitterUntil.
void jitter_until(runtime::Runtime& runtime, const JitterOptions& options,
                  const runtime::StopToken& stop, const std::function<void()>& body);

/// Mirrors apimachinery util/wait/backoff.go, Until.
void until(runtime::Runtime& runtime, runtime::Duration period, const runtime::StopToken& stop,
           const std::function<void()>& body);

/// Mirrors apimachinery util/wait/backoff.go, NonSlidingUntil.
void non_sliding_until(runtime::Runtime& runtime, runtime::Duration period,
                       const runtime::StopToken& stop, const std::function<void()>& body);

/// Calls `condition` at once and then every `interval`, until it returns true or the stop comes.
/// Returns whether it returned true. The first call happens even if the token is already stopped.
/// Mirrors apimachinery util/wait/poll.go, PollImmediateUntil, for conditions without errors.
[[nodiscard]] bool poll_immediate_until(runtime::Runtime& runtime, runtime::Duration interval,
                                        const runtime::StopToken& stop,
                                        const std::function<bool()>& condition);

/// Waits for `delay` on its own timer. Returns false if the stop comes first.
[[nodiscard]] bool sleep_unless_stopped(runtime::Runtime& runtime, runtime::Duration delay,
                                        const runtime::StopToken& stop);

/// Waits for a manager's timer that has just been armed. Returns false if the stop comes first; the
/// timer is then stopped and drained, so that the next wait on it takes its full time.
[[nodiscard]] bool wait_for_timer(runtime::Runtime& runtime, runtime::Timer& timer,
                                  const runtime::StopToken& stop);

}  // namespace watchlab::wait
