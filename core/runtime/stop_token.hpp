#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "core/runtime/channel.hpp"
#include "core/runtime/time.hpp"

namespace watchlab::runtime {

class StopSource;

/// Why a task should end. Mirrors ctx.Err(): nil, context.Canceled, context.DeadlineExceeded.
enum class StopReason : std::uint8_t { None, Stopped, DeadlineExceeded };

/// Tells a task to end: a channel that is closed at the stop. A cheap handle; copies are the same
/// token. A default-constructed token never stops. Mirrors Go context.Context, as far as
/// client-go's cache machinery uses it.
class StopToken {
 public:
  StopToken() = default;

  /// Closed once a stop has been requested. The nil channel of `runtime` for a token that never
  /// stops.
  [[nodiscard]] Channel<Unit> done(Runtime& runtime) const;
  /// Whether a stop has been requested. A visible operation, like reading ctx.Err().
  [[nodiscard]] bool stopped(Location here = Location::current()) const {
    return reason(here) != StopReason::None;
  }
  /// Why it stopped; if its parent stopped it, why the parent did. A visible operation.
  [[nodiscard]] StopReason reason(Location here = Location::current()) const;
  /// When it stops by itself at the latest; nothing without a deadline.
  [[nodiscard]] std::optional<TimePoint> deadline() const;

 private:
  friend class StopSource;
  struct State;
  explicit StopToken(std::shared_ptr<State> state) : state_(std::move(state)) {}

  std::shared_ptr<State> state_;
};

/// Requests a stop. A source made from a parent token also stops when the parent does, in the same
/// step (like context.WithCancel). Destroying a source does not stop anything.
class StopSource {
 public:
  explicit StopSource(Runtime& runtime, Location here = Location::current());
  StopSource(Runtime& runtime, const StopToken& parent, Location here = Location::current());
  /// A source that also stops by itself at this time, or at once if it is past. Mirrors
  /// context.WithDeadline and WithTimeout, including `defer cancel()`: call `stop` when the work is
  /// done. Until then, or until the deadline, a task of the runtime waits for it, which a `World`
  /// reports as leaked if the root task ends first.
  static StopSource with_deadline(Runtime& runtime, const StopToken& parent, TimePoint deadline,
                                  Location here = Location::current());
  static StopSource with_timeout(Runtime& runtime, const StopToken& parent, Duration timeout,
                                 Location here = Location::current()) {
    return with_deadline(runtime, parent, runtime.now() + timeout, here);
  }
  ~StopSource();
  StopSource(StopSource&&) noexcept;
  StopSource& operator=(StopSource&&) noexcept;

  /// For the tasks that should end. Outlives the source.
  [[nodiscard]] StopToken token() const;
  /// Idempotent. Any task may call it.
  void stop(Location here = Location::current());

 private:
  StopSource(Runtime& runtime, const StopToken& parent, std::optional<TimePoint> deadline,
             Location here);

  std::shared_ptr<StopToken::State> state_;
};

}  // namespace watchlab::runtime
