#include "core/runtime/fibers/timers.hpp"

#include <algorithm>

#include "core/runtime/channel.hpp"
#include "core/runtime/fibers/fiber_channel.hpp"
#include "core/runtime/fibers/scheduler.hpp"

namespace watchlab::runtime {

bool FiberTimers::arm(TimerNode& node, TimePoint at) {
  const SpinGuard guard(lock_);
  return arm_locked(node, at);
}

SpinLock& FiberTimers::arm_and_keep_locked(TimerNode& node, TimePoint at) {
  lock_.lock();
  static_cast<void>(arm_locked(node, at));
  return lock_;
}

bool FiberTimers::arm_locked(TimerNode& node, TimePoint at) {
  const bool was_armed = take(node);
  put(node, at);
  publish();
  // A worker that arms a timer looks at the heap before it waits; those that wait must be told.
  if (heap_.front() == &node) {
    scheduler_.wake_idle();
  }
  return was_armed;
}

bool FiberTimers::arm_after(TimerNode& node, Duration delay) {
  const TimePoint now = clock_.now();
  return arm(node, now + std::clamp(delay, Duration::zero(), TimePoint::max() - now));
}

bool FiberTimers::disarm(TimerNode& node) {
  const SpinGuard guard(lock_);
  const bool was_armed = take(node);
  publish();
  return was_armed;
}

bool FiberTimers::fire_due() {
  const TimePoint next = next_.load(std::memory_order_relaxed);
  if (next == TimePoint::max()) {
    return false;
  }
  const TimePoint now = clock_.now();
  if (next > now) {
    return false;
  }
  const SpinGuard guard(lock_);
  bool any = false;
  while (!heap_.empty() && heap_.front()->at <= now) {
    fire(*heap_.front(), now);
    any = true;
  }
  publish();
  return any;
}

std::optional<ThreadClock::Steady::time_point> FiberTimers::next() const {
  const TimePoint next = next_.load();
  return next == TimePoint::max() ? std::nullopt : std::optional(clock_.steady(next));
}

void FiberTimers::fire(TimerNode& node, TimePoint now) {
  const TimePoint due = node.at;
  take(node);
  if (node.timer == nullptr) {
    if (node.waiter->sleeper->claim(node.waiter->arm)) {
      node.waiter->sleeper->wake();
    }
    return;
  }
  const FiberTimer& timer = *node.timer;
  static_cast<FiberChannel&>(*timer.channel_).offer(Channel<TimePoint>::pack(now));
  if (timer.period_) {
    // Ticks that were missed are skipped, the rhythm stays.
    const auto missed = (now - due) / *timer.period_;
    put(node, due + (missed + 1) * *timer.period_);
  }
}

void FiberTimers::put(TimerNode& node, TimePoint at) {
  node.at = at;
  node.number = ++arms_;
  heap_.push_back(&node);
  node.place = heap_.size() - 1;
  sift_up(node.place);
}

bool FiberTimers::take(TimerNode& node) {
  if (node.place == TimerNode::kOut) {
    return false;
  }
  const std::size_t place = node.place;
  node.place = TimerNode::kOut;
  TimerNode& last = *heap_.back();
  heap_.pop_back();
  if (&last != &node) {
    set(place, last);
    sift_up(place);
    sift_down(last.place);
  }
  return true;
}

bool FiberTimers::is_before(const TimerNode& a, const TimerNode& b) {
  return std::pair(a.at, a.number) < std::pair(b.at, b.number);
}

void FiberTimers::sift_up(std::size_t place) {
  TimerNode& node = *heap_[place];
  while (place > 0 && is_before(node, *heap_[(place - 1) / 2])) {
    set(place, *heap_[(place - 1) / 2]);
    place = (place - 1) / 2;
  }
  set(place, node);
}

void FiberTimers::sift_down(std::size_t place) {
  TimerNode& node = *heap_[place];
  for (std::size_t child = 2 * place + 1; child < heap_.size(); child = 2 * place + 1) {
    if (child + 1 < heap_.size() && is_before(*heap_[child + 1], *heap_[child])) {
      ++child;
    }
    if (!is_before(*heap_[child], node)) {
      break;
    }
    set(place, *heap_[child]);
    place = child;
  }
  set(place, node);
}

void FiberTimers::set(std::size_t place, TimerNode& node) {
  heap_[place] = &node;
  node.place = place;
}

void FiberTimers::publish() { next_.store(heap_.empty() ? TimePoint::max() : heap_.front()->at); }

}  // namespace watchlab::runtime
