#pragma once

#include <functional>

#include "core/runtime/runtime.hpp"
#include "core/runtime/stop_token.hpp"
#include "core/wait/backoff.hpp"

/// Loops that repeat a body until they are stopped. All of them look at the stop token before
/// each run, so a body never starts after its stop was seen; their pauses end at once when the stop
/// comes. A panic of the body leaves the loop: the caller decides with `runtime::recover` what
/// then.
namespace watchlab::wait {

/// When the pause after a run starts to count.
enum class Pause : std::uint8_t {
  Sliding,     ///< after the body has come back
  NonSliding,  ///< when the body is called, so that a slow body shortens the pause
};

/// Runs `body`, pauses as the manager says, and so on. A token stopped beforehand means no run at
/// all. Mirrors apimachinery 0.32 util/wait/backoff.go, BackoffUntil.
void backoff_until(runtime::Runtime& runtime, BackoffManager& manager, Pause pause,
                   const runtime::StopToken& stop, const std::function<void()>& body);

/// How long a loop rests between two runs of its body.
struct JitterOptions {
  runtime::Duration period{};
  double factor = 0.0;  ///< 0 for no jitter
  Pause pause = Pause::Sliding;
};

/// `backoff_until` with the same pause each time, stretched at random.
/// Mirrors apimachinery util/wait/backoff.go, JitterUntil.
void jitter_until(runtime::Runtime& runtime, const JitterOptions& options,
                  const runtime::StopToken& stop, const std::function<void()>& body);

/// Mirrors apimachinery util/wait/backoff.go, Until.
void until(runtime::Runtime& runtime, runtime::Duration period, const runtime::StopToken& stop,
           const std::function<void()>& body);

/// Mirrors apimachinery util/wait/backoff.go, NonSlidingUntil.
void non_sliding_until(runtime::Runtime& runtime, runtime::Duration period,
                       const runtime::StopToken& stop, const std::function<void()>& body);

/// Asks `condition` at once and then every `interval`, until it says yes or the stop comes. Whether
/// it said yes. The first question is asked even when the token is stopped already.
/// Mirrors apimachinery util/wait/poll.go, PollImmediateUntil, for conditions without errors.
[[nodiscard]] bool poll_immediate_until(runtime::Runtime& runtime, runtime::Duration interval,
                                        const runtime::StopToken& stop,
                                        const std::function<bool()>& condition);

/// Waits for `delay` on a timer of its own. False when the stop came first.
[[nodiscard]] bool sleep_unless_stopped(runtime::Runtime& runtime, runtime::Duration delay,
                                        const runtime::StopToken& stop);

/// Waits for a manager's timer that was just armed. False when the stop came first; the timer is
/// then stopped and drained, so that the next wait on it counts in full.
[[nodiscard]] bool wait_for_timer(runtime::Runtime& runtime, runtime::Timer& timer,
                                  const runtime::StopToken& stop);

}  // namespace watchlab::wait
