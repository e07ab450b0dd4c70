#include "core/cache/shared_processor.hpp"

#include <algorithm>

#include "core/runtime/order.hpp"

namespace watchlab::cache {

runtime::Duration effective_resync_period(runtime::Duration requested,
                                          runtime::Duration check_period) {
  const runtime::Duration never = runtime::Duration::zero();
  if (requested == never || check_period == never) {
    return never;
  }
  return std::max(requested, check_period);
}

SharedProcessor::SharedProcessor(runtime::Runtime& runtime, bool waits_for_listeners)
    : runtime_(runtime), listeners_mutex_(runtime, "listeners"), running_(runtime, "listeners") {
  if (waits_for_listeners) {
    started_.emplace(runtime, 0, "listeners_started", runtime::Location::current());
  }
}

/// The original walks a map of listeners, so their order is a choice of the outside.
SharedProcessor::Entries SharedProcessor::visiting_order() const {
  const std::size_t count = listeners_.size();
  const runtime::Order order =
      count < 2 ? runtime::Order(count) : runtime_.order(count, "listeners");
  Entries entries;
  for (std::size_t place = 0; place < count; ++place) {
    entries.push_back(&listeners_[order[place]]);
  }
  return entries;
}

void SharedProcessor::start(const std::shared_ptr<ProcessorListener>& listener) {
  listener->calling =
      running_.start("listener-run", [self = shared_from_this(), listener] { listener->run(); });
  running_.start("listener-pop", [self = shared_from_this(), listener] { listener->pop(); });
}

/// Mirrors client-go addListener. The lock covers both steps: a listener that `run` has not seen is
/// started here, and none is started twice.
void SharedProcessor::add_listener(const std::shared_ptr<ProcessorListener>& listener) {
  const runtime::WriteLock lock(listeners_mutex_);
  listeners_.push_back({.listener = listener});
  if (listeners_started_) {
    start(listener);
  }
}

/// Mirrors client-go removeListener. Closing ends the listener's two tasks after what it holds was
/// delivered; before the start there are no tasks to end.
void SharedProcessor::remove_listener(const std::shared_ptr<ProcessorListener>& listener) {
  const runtime::WriteLock lock(listeners_mutex_);
  const auto removed = std::erase_if(
      listeners_, [&listener](const Entry& entry) { return entry.listener == listener; });
  if (removed > 0 && listeners_started_) {
    listener->close();
  }
}

bool SharedProcessor::hand_over(const NotificationPtr& notification, bool is_sync) {
  const runtime::ReadLock lock(listeners_mutex_);
  if (started_ && !listeners_started_ && !listeners_.empty()) {
    return false;
  }
  for (const Entry* entry : visiting_order()) {
    if (!is_sync || entry->is_syncing) {
      entry->listener->add(notification);
    }
  }
  return true;
}

/// Where it waits for the start, the lock is free meanwhile. That is a wait of a condition in the
/// original, which comes true once: after the stop there are no listeners.
void SharedProcessor::distribute(const NotificationPtr& notification, bool is_sync) {
  while (!hand_over(notification, is_sync)) {
    started_->receive();
  }
}

/// The end of a task takes the place of the original's channel runFinished. Waiting comes without
/// the lock: the handler's last call may need it.
void SharedProcessor::wait_for_end(const std::shared_ptr<ProcessorListener>& listener) {
  runtime::Task calling;
  {
    const runtime::ReadLock lock(listeners_mutex_);
    calling = listener->calling;
  }
  if (calling.valid()) {
    calling.join();
  }
}

void SharedProcessor::start_all() {
  for (const Entry& entry : listeners_) {
    start(entry.listener);
  }
  listeners_started_ = true;
}

/// Mirrors client-go run. The wait at the end comes under the writers' lock, as in the original: no
/// listener is added before all have ended, and one that comes later finds the flag down and is not
/// started.
void SharedProcessor::run(const runtime::StopToken& stop) {
  if (started_) {
    const runtime::WriteLock lock(listeners_mutex_);
    start_all();
    started_->close();
  } else {
    // Only a readers' lock, although it changes the flag: the original's does the same before 0.36.
    const runtime::ReadLock lock(listeners_mutex_);
    start_all();
  }
  stop.done(runtime_).receive();
  const runtime::WriteLock lock(listeners_mutex_);
  for (const Entry& entry : listeners_) {
    entry.listener->close();
  }
  listeners_.clear();
  listeners_started_ = false;
  running_.wait();
}

/// Mirrors client-go shouldResync. Every listener is asked, also after the first yes: each has a
/// due time of its own, and only those that are due get the syncs of this round.
bool SharedProcessor::should_resync() {
  const runtime::WriteLock lock(listeners_mutex_);
  const runtime::TimePoint now = runtime_.now();
  bool any = false;
  for (Entry& entry : listeners_) {
    entry.is_syncing = entry.listener->should_resync(now);
    if (entry.is_syncing) {
      any = true;
      entry.listener->schedule_next_resync(now);
    }
  }
  return any;
}

void SharedProcessor::resync_check_period_changed(runtime::Duration check_period) {
  const runtime::ReadLock lock(listeners_mutex_);
  for (const Entry& entry : listeners_) {
    entry.listener->set_resync_period(
        effective_resync_period(entry.listener->requested_resync_period(), check_period));
  }
}

}  // namespace watchlab::cache
