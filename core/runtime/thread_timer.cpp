#include "core/runtime/thread_timer.hpp"

#include <algorithm>

#include "core/runtime/channel.hpp"
#include "core/runtime/thread_channel.hpp"

namespace watchlab::runtime {

ThreadTimers::~ThreadTimers() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    changed_.notify_one();
  }
  if (thread_.joinable()) {
    thread_.join();
  }
}

bool ThreadTimers::arm(ThreadTimer& timer, Duration delay) {
  const TimePoint now = clock_.now();
  const Duration longest = TimePoint::max() - now;
  const std::lock_guard lock(mutex_);
  const bool was_armed = take(timer);
  put(timer, now + std::clamp(delay, Duration::zero(), longest));
  start_thread();
  changed_.notify_one();
  return was_armed;
}

void ThreadTimers::begin() {
  const std::lock_guard lock(mutex_);
  start_thread();
}

/// With the lock held.
void ThreadTimers::start_thread() {
  if (!thread_.joinable()) {
    thread_ = std::thread([this] { fire_all(); });
  }
}

bool ThreadTimers::disarm(ThreadTimer& timer) {
  const std::lock_guard lock(mutex_);
  return take(timer);
}

void ThreadTimers::put(ThreadTimer& timer, TimePoint at) {
  timer.deadline_ = Deadline(at, ++arms_);
  armed_.emplace(*timer.deadline_, &timer);
}

bool ThreadTimers::take(ThreadTimer& timer) {
  if (!timer.deadline_) {
    return false;
  }
  armed_.erase(*timer.deadline_);
  timer.deadline_.reset();
  return true;
}

void ThreadTimers::fire_all() {
  std::unique_lock lock(mutex_);
  while (!ending_) {
    if (armed_.empty()) {
      changed_.wait(lock);
      continue;
    }
    const auto& [deadline, timer] = *armed_.begin();
    if (deadline.first <= clock_.now()) {
      fire(*timer);
    } else {
      // By value: the entry may be gone before the wait is over.
      const ThreadClock::Steady::time_point until = clock_.steady(deadline.first);
      changed_.wait_until(lock, until);
    }
  }
}

void ThreadTimers::fire(ThreadTimer& timer) {
  const TimePoint due = timer.deadline_->first;
  const TimePoint now = clock_.now();
  take(timer);
  static_cast<ThreadChannel&>(*timer.channel_).offer(Channel<TimePoint>::pack(now));
  if (timer.period_) {
    // Ticks that were missed are skipped, the rhythm stays.
    const auto missed = (now - due) / *timer.period_;
    put(timer, due + (missed + 1) * *timer.period_);
  }
}

}  // namespace watchlab::runtime
