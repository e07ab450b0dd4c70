#include "core/runtime/stop_token.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/runtime/atomic.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/select.hpp"
#include "core/runtime/task.hpp"
#include "core/runtime/timer.hpp"

namespace watchlab::runtime {

/// What a source and its tokens share. A parent knows its children only weakly: a child whose
/// source and tokens are all gone is forgotten at one of the next registrations, without a
/// lock in a destructor.
struct StopToken::State {
  State(Runtime& runtime, std::optional<TimePoint> stops_at, Location here)
      : deadline(stops_at),
        mutex(runtime, "stop_token", here),
        reason(runtime, StopReason::None, "stop_token", here),
        done(runtime, 0, "stop_token", here) {}

  void stop(StopReason why, Location here);
  void stop_with_parent(State& parent, const std::shared_ptr<State>& self, Location here);
  void adopt(const std::shared_ptr<State>& child);

  static constexpr std::size_t kChildrenBeforeCleaningMin = 8;

  const std::optional<TimePoint> deadline;
  Mutex mutex;
  StopReason requested = StopReason::None;     ///< under `mutex`
  std::vector<std::weak_ptr<State>> children;  ///< under `mutex`
  std::size_t children_before_cleaning = kChildrenBeforeCleaningMin;
  Atomic<StopReason> reason;
  Channel<Unit> done;
};

void StopToken::State::stop(StopReason why, Location here) {
  const Lock lock(mutex, here);
  if (requested != StopReason::None) {
    return;
  }
  requested = why;
  // The reason goes first: a task that the channel wakes must find it set.
  reason.store(why, here);
  done.close(here);
  // Under the lock, so that a second caller returns only after every child has stopped too.
  for (const std::weak_ptr<State>& weak_child : std::exchange(children, {})) {
    if (const std::shared_ptr<State> child = weak_child.lock()) {
      child->stop(why, here);
    }
  }
}

void StopToken::State::stop_with_parent(State& parent, const std::shared_ptr<State>& self,
                                        Location here) {
  const Lock lock(parent.mutex, here);
  if (parent.requested != StopReason::None) {
    stop(parent.requested, here);
  } else {
    parent.adopt(self);
  }
}

void StopToken::State::adopt(const std::shared_ptr<State>& child) {
  if (children.size() >= children_before_cleaning) {
    std::erase_if(children, [](const std::weak_ptr<State>& known) { return known.expired(); });
    children_before_cleaning = std::max(kChildrenBeforeCleaningMin, 2 * children.size());
  }
  children.push_back(child);
}

Channel<Unit> StopToken::done(Runtime& runtime) const {
  return state_ ? state_->done : Channel<Unit>::nil(runtime);
}

StopReason StopToken::reason(Location here) const {
  return state_ ? state_->reason.load(here) : StopReason::None;
}

std::optional<TimePoint> StopToken::deadline() const {
  return state_ ? state_->deadline : std::nullopt;
}

StopSource::StopSource(Runtime& runtime, const StopToken& parent, std::optional<TimePoint> deadline,
                       Location here)
    : state_(std::make_shared<StopToken::State>(runtime, deadline, here)) {
  if (parent.state_) {
    state_->stop_with_parent(*parent.state_, state_, here);
  }
}

StopSource::StopSource(Runtime& runtime, Location here)
    : StopSource(runtime, StopToken(), std::nullopt, here) {}

StopSource::StopSource(Runtime& runtime, const StopToken& parent, Location here)
    : StopSource(runtime, parent, parent.deadline(), here) {}

StopSource StopSource::with_deadline(Runtime& runtime, const StopToken& parent, TimePoint deadline,
                                     Location here) {
  const std::optional<TimePoint> known = parent.deadline();
  if (known && *known <= deadline) {
    return StopSource(runtime, parent, here);  // the parent stops it in time
  }
  StopSource source(runtime, parent, deadline, here);
  const Duration left = deadline - runtime.now();
  if (left <= Duration::zero()) {
    source.state_->stop(StopReason::DeadlineExceeded, here);
    return source;
  }
  const auto timer = std::make_shared<Timer>(runtime, left, here);
  spawn(
      runtime, "deadline",
      [&runtime, timer, state = source.state_, here] {
        Select first(runtime);
        first.receive(timer->channel()).receive(state->done);
        if (first.wait(here) == 0) {
          state->stop(StopReason::DeadlineExceeded, here);
        }
      },
      here);
  return source;
}

StopSource::~StopSource() = default;
StopSource::StopSource(StopSource&&) noexcept = default;
StopSource& StopSource::operator=(StopSource&&) noexcept = default;

StopToken StopSource::token() const { return StopToken(state_); }

void StopSource::stop(Location here) { state_->stop(StopReason::Stopped, here); }

}  // namespace watchlab::runtime
