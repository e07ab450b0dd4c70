#include "core/runtime/fibers/locks.hpp"

#include <utility>

#include "core/runtime/ensure.hpp"

namespace watchlab::runtime {

void FiberMutex::lock(Location here) {
  int expected = kFree;
  if (!state_.compare_exchange_strong(expected, kHeld, std::memory_order_acquire)) {
    lock_contended(here);
  }
}

bool FiberMutex::try_lock(Location) {
  int expected = kFree;
  return state_.compare_exchange_strong(expected, kHeld, std::memory_order_acquire);
}

void FiberMutex::unlock(Location) {
  int expected = kHeld;
  if (state_.compare_exchange_strong(expected, kFree, std::memory_order_release)) {
    return;
  }
  if (expected == kFree) {
    throw Panic("unlock of an unlocked mutex");
  }
  unlock_contended();
}

void FiberMutex::lock_contended(Location here) {
  for (bool first = true;; first = false) {
    Sleeper sleeper(here);
    Waiter waiter{.sleeper = &sleeper, .insists = !first};
    inner_.lock();
    // A task that had to wait takes the mutex as contended: it cannot know whether others wait.
    if (state_.exchange(kContended, std::memory_order_acquire) == kFree) {
      inner_.unlock();
      return;
    }
    if (first) {
      waiting_.push_back(waiter);
    } else {
      waiting_.push_front(waiter);
    }
    sleeper.sleep(inner_);
    if (waiter.insists) {
      return;  // it was handed over
    }
  }
}

/// From the moment at which the mutex is free another task may own and even destroy it, so the
/// inner lock is free before that.
void FiberMutex::unlock_contended() {
  inner_.lock();
  Waiter* const waiter = waiting_.pop();
  if (waiter == nullptr) {
    // Those that come from now on find it held and mark it again.
    state_.store(kHeld, std::memory_order_relaxed);
    inner_.unlock();
    unlock(Location::current());
    return;
  }
  inner_.unlock();
  Sleeper& sleeper = *waiter->sleeper;
  if (!waiter->insists) {
    state_.store(kFree, std::memory_order_release);
  }
  sleeper.wake();
}

void FiberSharedMutex::lock(Location here) {
  inner_.lock();
  // From here on no new reader enters; those inside finish first.
  const std::uint64_t before = state_.fetch_or(kWriterFlag);
  if (before == 0 || (before == kWriterFlag && !writer_inside_)) {
    writer_inside_ = true;
    inner_.unlock();
    return;
  }
  Sleeper sleeper(here);
  Waiter waiter{.sleeper = &sleeper};
  writers_.push_back(waiter);
  sleeper.sleep(inner_);
}

void FiberSharedMutex::unlock(Location) {
  inner_.lock();
  if (!writer_inside_) {
    inner_.unlock();
    throw Panic("unlock of an unlocked shared mutex");
  }
  writer_inside_ = false;
  const WaitQueue let_in = std::exchange(readers_, {});
  const std::size_t readers = std::exchange(readers_waiting_, 0);
  state_ = readers * kOneReader + (writers_.empty() ? 0 : kWriterFlag);
  Waiter* const writer = readers == 0 ? let_writer_in() : nullptr;
  inner_.unlock();
  if (writer != nullptr) {
    writer->sleeper->wake();
  }
  wake_all(let_in);
}

void FiberSharedMutex::lock_shared(Location here) {
  if (enter_without_writer()) {
    return;
  }
  inner_.lock();
  // The writer may have left before the inner lock was ours; it sets the state under that lock.
  if (enter_without_writer()) {
    inner_.unlock();
    return;
  }
  Sleeper sleeper(here);
  Waiter waiter{.sleeper = &sleeper};
  readers_.push_back(waiter);
  ++readers_waiting_;
  sleeper.sleep(inner_);
}

void FiberSharedMutex::unlock_shared(Location) {
  const std::uint64_t before = state_.fetch_sub(kOneReader);
  if (before < kOneReader) {
    state_.fetch_add(kOneReader);
    throw Panic("unlock_shared of a shared mutex that no reader holds");
  }
  if (before == kOneReader + kWriterFlag) {
    inner_.lock();
    Waiter* const writer = let_writer_in();
    inner_.unlock();
    if (writer != nullptr) {
      writer->sleeper->wake();
    }
  }
}

bool FiberSharedMutex::enter_without_writer() {
  std::uint64_t before = state_.load();
  while ((before & kWriterFlag) == 0) {
    if (state_.compare_exchange_weak(before, before + kOneReader)) {
      return true;
    }
  }
  return false;
}

Waiter* FiberSharedMutex::let_writer_in() {
  Waiter* const writer = !writer_inside_ && state_ == kWriterFlag ? writers_.pop() : nullptr;
  if (writer != nullptr) {
    writer_inside_ = true;
  }
  return writer;
}

namespace {

/// Arms of a wait for a condition.
constexpr std::size_t kNotified = 0;
constexpr std::size_t kTimedOut = 1;

}  // namespace

bool FiberCondVar::wait(const HeldLock& held, const std::optional<TimePoint>& deadline,
                        Location here) {
  Sleeper sleeper(here, deadline ? 2 : 1);
  Waiter waiter{.sleeper = &sleeper, .arm = kNotified};
  enqueue(waiter, held, here);
  if (deadline) {
    Waiter late{.sleeper = &sleeper, .arm = kTimedOut};
    TimerNode node{.waiter = &late};
    SpinLock* const locks[] = {&inner_, &timers_.arm_and_keep_locked(node, *deadline)};
    sleeper.sleep(locks, 2);
    timers_.disarm(node);
  } else {
    sleeper.sleep(inner_);
  }
  if (sleeper.arm() == kTimedOut) {
    const SpinGuard guard(inner_);
    queue_.remove(waiter);
    has_waiters_ = !queue_.empty();
  }
  held.lock(here);
  return sleeper.arm() == kNotified;
}

/// Leaves the inner lock held. Queued before the caller's lock is free: a task that changes the
/// condition under it finds us waiting.
void FiberCondVar::enqueue(Waiter& waiter, const HeldLock& held, Location here) {
  inner_.lock();
  queue_.push_back(waiter);
  has_waiters_ = true;
  try {
    held.unlock(here);
  } catch (const Panic&) {
    queue_.remove(waiter);
    has_waiters_ = !queue_.empty();
    inner_.unlock();
    throw;
  }
}

void FiberCondVar::notify_one(Location) {
  if (!has_waiters_) {
    return;
  }
  inner_.lock();
  Waiter* const waiter = queue_.claim();
  has_waiters_ = !queue_.empty();
  inner_.unlock();
  if (waiter != nullptr) {
    waiter->sleeper->wake();
  }
}

void FiberCondVar::notify_all(Location) {
  if (!has_waiters_) {
    return;
  }
  WaitQueue woken;
  inner_.lock();
  while (Waiter* const waiter = queue_.claim()) {
    woken.push_back(*waiter);
  }
  has_waiters_ = false;
  inner_.unlock();
  wake_all(woken);
}

void FiberWaitGroup::add(std::ptrdiff_t delta, Location) {
  inner_.lock();
  if (count_ + delta < 0) {
    inner_.unlock();
    throw Panic("negative wait group counter");
  }
  count_ += delta;
  const WaitQueue woken = count_ == 0 ? std::exchange(waiting_, {}) : WaitQueue();
  inner_.unlock();
  wake_all(woken);
}

void FiberWaitGroup::wait(Location here) {
  inner_.lock();
  if (count_ == 0) {
    inner_.unlock();
    return;
  }
  Sleeper sleeper(here);
  Waiter waiter{.sleeper = &sleeper};
  waiting_.push_back(waiter);
  sleeper.sleep(inner_);
}

}  // namespace watchlab::runtime
