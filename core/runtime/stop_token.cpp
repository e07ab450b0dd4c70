#include "core/runtime/stop_token.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/runtime/atomic.hpp"
#include "core/runtime/mutex.hpp"

namespace watchlab::runtime {

/// What a source and its tokens share. A parent knows its children only weakly: a child whose
/// source and tokens are all gone is forgotten at one of the next registrations, without a
/// lock in a destructor.
struct StopToken::State {
  State(Runtime& runtime, Location here)
      : mutex(runtime, "stop_token", here),
        stopped(runtime, false, "stop_token", here),
        done(runtime, 0, "stop_token", here) {}

  void stop(Location here);
  void stop_with_parent(State& parent, const std::shared_ptr<State>& self, Location here);
  void adopt(const std::shared_ptr<State>& child);

  static constexpr std::size_t kChildrenBeforeCleaningMin = 8;

  Mutex mutex;
  bool requested = false;                      ///< under `mutex`
  std::vector<std::weak_ptr<State>> children;  ///< under `mutex`
  std::size_t children_before_cleaning = kChildrenBeforeCleaningMin;
  Atomic<bool> stopped;
  Channel<Unit> done;
};

void StopToken::State::stop(Location here) {
  const Lock lock(mutex, here);
  if (requested) {
    return;
  }
  requested = true;
  // The flag goes first: a task that the channel wakes must find it set.
  stopped.store(true, here);
  done.close(here);
  // Under the lock, so that a second caller returns only after every child has stopped too.
  for (const std::weak_ptr<State>& weak_child : std::exchange(children, {})) {
    if (const std::shared_ptr<State> child = weak_child.lock()) {
      child->stop(here);
    }
  }
}

void StopToken::State::stop_with_parent(State& parent, const std::shared_ptr<State>& self,
                                        Location here) {
  const Lock lock(parent.mutex, here);
  if (parent.requested) {
    stop(here);
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

bool StopToken::stopped(Location here) const { return state_ && state_->stopped.load(here); }

StopSource::StopSource(Runtime& runtime, Location here)
    : state_(std::make_shared<StopToken::State>(runtime, here)) {}

StopSource::StopSource(Runtime& runtime, const StopToken& parent, Location here)
    : StopSource(runtime, here) {
  if (parent.state_) {
    state_->stop_with_parent(*parent.state_, state_, here);
  }
}

StopSource::~StopSource() = default;
StopSource::StopSource(StopSource&&) noexcept = default;
StopSource& StopSource::operator=(StopSource&&) noexcept = default;

StopToken StopSource::token() const { return StopToken(state_); }

void StopSource::stop(Location here) { state_->stop(here); }

}  // namespace watchlab::runtime
