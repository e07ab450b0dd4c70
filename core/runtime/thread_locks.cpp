#include "core/runtime/thread_locks.hpp"

#include <utility>

#include "core/runtime/ensure.hpp"

namespace watchlab::runtime {

void ThreadMutex::lock(Location) {
  int expected = kFree;
  if (state_.compare_exchange_strong(expected, kHeld)) {
    return;
  }
  // A task that had to wait takes the mutex as contended: it cannot know whether others still
  // sleep.
  while (state_.exchange(kContended) != kFree) {
    state_.wait(kContended);
  }
}

bool ThreadMutex::try_lock(Location) {
  int expected = kFree;
  return state_.compare_exchange_strong(expected, kHeld);
}

void ThreadMutex::unlock(Location) {
  const int before = state_.exchange(kFree);
  if (before == kFree) {
    throw Panic("unlock of an unlocked mutex");
  }
  // From here on another task may own and even destroy the mutex; waking uses its address only.
  if (before == kContended) {
    state_.notify_one();
  }
}

void ThreadSharedMutex::lock(Location) {
  std::unique_lock inner(inner_);
  // From here on no new reader enters; those inside finish first.
  state_.fetch_or(kWriterFlag);
  ++writers_waiting_;
  writers_may_enter_.wait(inner, [this] { return !writer_inside_ && state_ == kWriterFlag; });
  --writers_waiting_;
  writer_inside_ = true;
}

void ThreadSharedMutex::unlock(Location) {
  const std::lock_guard inner(inner_);
  if (!writer_inside_) {
    throw Panic("unlock of an unlocked shared mutex");
  }
  writer_inside_ = false;
  const std::size_t let_in = std::exchange(readers_waiting_, 0);
  state_ = let_in * kOneReader + (writers_waiting_ > 0 ? kWriterFlag : 0);
  if (let_in > 0) {
    ++rounds_;
    readers_were_let_in_.notify_all();
  } else {
    writers_may_enter_.notify_one();
  }
}

void ThreadSharedMutex::lock_shared(Location) {
  if (!enter_without_writer()) {
    wait_for_writer_to_leave();
  }
}

void ThreadSharedMutex::unlock_shared(Location) {
  const std::uint64_t before = state_.fetch_sub(kOneReader);
  if (before < kOneReader) {
    state_.fetch_add(kOneReader);
    throw Panic("unlock_shared of a shared mutex that no reader holds");
  }
  if (before == kOneReader + kWriterFlag) {
    const std::lock_guard inner(inner_);
    writers_may_enter_.notify_one();
  }
}

bool ThreadSharedMutex::enter_without_writer() {
  std::uint64_t before = state_.load();
  while ((before & kWriterFlag) == 0) {
    if (state_.compare_exchange_weak(before, before + kOneReader)) {
      return true;
    }
  }
  return false;
}

void ThreadSharedMutex::wait_for_writer_to_leave() {
  std::unique_lock inner(inner_);
  // The writer may have left before the inner mutex was ours; it sets the state under that mutex.
  if (enter_without_writer()) {
    return;
  }
  ++readers_waiting_;
  readers_were_let_in_.wait(inner, [this, round = rounds_] { return rounds_ != round; });
}

/// A waiter's place in the queue, from construction until it is notified or destroyed. All its
/// functions are called under the inner mutex.
class ThreadCondVar::Place {
 public:
  explicit Place(ThreadCondVar& owner)
      : owner_(owner), at_(owner.queue_.insert(owner.queue_.end(), this)) {
    ++owner_.waiting_;
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  ~Place() {
    if (!notified_) {
      leave_queue();
    }
  }

  void notify() {
    leave_queue();
    notified_ = true;
    woken_.notify_one();
  }
  void wait(std::unique_lock<std::mutex>& inner) {
    woken_.wait(inner, [this] { return notified_; });
  }
  void wait_until(std::unique_lock<std::mutex>& inner, TimePoint deadline) {
    woken_.wait_until(inner, owner_.clock_.steady(deadline), [this] { return notified_; });
  }
  [[nodiscard]] bool notified() const { return notified_; }

 private:
  void leave_queue() {
    owner_.queue_.erase(at_);
    --owner_.waiting_;
  }

  ThreadCondVar& owner_;
  std::list<Place*>::iterator at_;
  std::condition_variable woken_;
  bool notified_ = false;
};

bool ThreadCondVar::wait(const HeldLock& held, const std::optional<TimePoint>& deadline,
                         Location here) {
  bool notified = false;
  {
    std::unique_lock inner(inner_);
    // Queued before the lock is free: a task that changes the condition under it finds us waiting.
    Place place(*this);
    held.unlock(here);
    if (deadline) {
      place.wait_until(inner, *deadline);
    } else {
      place.wait(inner);
    }
    notified = place.notified();
  }
  held.lock(here);
  return notified;
}

void ThreadCondVar::notify_one(Location) {
  if (waiting_ == 0) {
    return;
  }
  const std::lock_guard inner(inner_);
  if (!queue_.empty()) {
    queue_.front()->notify();
  }
}

void ThreadCondVar::notify_all(Location) {
  if (waiting_ == 0) {
    return;
  }
  const std::lock_guard inner(inner_);
  while (!queue_.empty()) {
    queue_.front()->notify();
  }
}

void ThreadWaitGroup::add(std::ptrdiff_t delta, Location) {
  const std::lock_guard inner(inner_);
  if (count_ + delta < 0) {
    throw Panic("negative wait group counter");
  }
  count_ += delta;
  if (count_ == 0) {
    ++times_at_zero_;
    // Under the lock: a waiter that returns may destroy this object.
    reached_zero_.notify_all();
  }
}

void ThreadWaitGroup::wait(Location) {
  std::unique_lock inner(inner_);
  if (count_ > 0) {
    reached_zero_.wait(inner, [this, before = times_at_zero_] { return times_at_zero_ != before; });
  }
}

}  // namespace watchlab::runtime
