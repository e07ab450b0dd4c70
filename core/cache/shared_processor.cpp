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

SharedProcessor::SharedProcessor(runtime::Runtime& runtime)
    : runtime_(runtime), listeners_mutex_(runtime, "listeners"), running_(runtime, "listeners") {}

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
  running_.start("listener-run", [self = shared_from_this(), listener] { listener->run(); });
  running_.start("listener-pop", [self = shared_from_this(), listener] { listener->pop(); });
}

void SharedProcessor::add_listener(const std::shared_ptr<ProcessorListener>& listener) {
  const runtime::WriteLock lock(listeners_mutex_);
  listeners_.push_back({.listener = listener});
  if (listeners_started_) {
    start(listener);
  }
}

void SharedProcessor::remove_listener(const std::shared_ptr<ProcessorListener>& listener) {
  const runtime::WriteLock lock(listeners_mutex_);
  const auto removed = std::erase_if(
      listeners_, [&listener](const Entry& entry) { return entry.listener == listener; });
  if (removed > 0 && listeners_started_) {
    listener->close();
  }
}

void SharedProcessor::distribute(const NotificationPtr& notification, bool is_sync) {
  const runtime::ReadLock lock(listeners_mutex_);
  for (const Entry* entry : visiting_order()) {
    if (!is_sync || entry->is_syncing) {
      entry->listener->add(notification);
    }
  }
}

void SharedProcessor::run(const runtime::StopToken& stop) {
  {
    // Only a readers' lock, although it changes the flag: the original's does the same.
    const runtime::ReadLock lock(listeners_mutex_);
    for (const Entry& entry : listeners_) {
      start(entry.listener);
    }
    listeners_started_ = true;
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
