#pragma once

#include <memory>

#include "core/runtime/channel.hpp"

namespace watchlab::runtime {

class StopSource;

/// Tells a task that it shall end: a channel that is closed when the time has come. A cheap handle;
/// copies are the same token. A default-constructed token never stops. Mirrors Go context.Context,
/// as far as client-go's cache machinery uses it.
class StopToken {
 public:
  StopToken() = default;

  /// Closed once a stop was requested. The nil channel of `runtime` for a token that never stops.
  [[nodiscard]] Channel<Unit> done(Runtime& runtime) const;
  /// Whether a stop was requested. A visible operation, as reading ctx.Err() is.
  [[nodiscard]] bool stopped(Location here = Location::current()) const;

 private:
  friend class StopSource;
  struct State;
  explicit StopToken(std::shared_ptr<State> state) : state_(std::move(state)) {}

  std::shared_ptr<State> state_;
};

/// Requests a stop. A source made from a parent token stops also when the parent does, in the
/// same step as the parent (as context.WithCancel). Destroying a source stops nothing.
class StopSource {
 public:
  explicit StopSource(Runtime& runtime, Location here = Location::current());
  StopSource(Runtime& runtime, const StopToken& parent, Location here = Location::current());
  ~StopSource();
  StopSource(StopSource&&) noexcept;
  StopSource& operator=(StopSource&&) noexcept;

  /// For the tasks that shall end. Outlives the source.
  [[nodiscard]] StopToken token() const;
  /// Idempotent. Any task may call it.
  void stop(Location here = Location::current());

 private:
  std::shared_ptr<StopToken::State> state_;
};

}  // namespace watchlab::runtime
