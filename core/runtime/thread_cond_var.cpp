#include "core/runtime/thread_cond_var.hpp"

namespace watchlab::runtime {

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

bool ThreadCondVar::wait(MutexBackend& mutex, std::optional<TimePoint> deadline, Location here) {
  bool notified = false;
  {
    std::unique_lock inner(inner_);
    // Queued before the mutex is free: who changes the condition under it finds us waiting.
    Place place(*this);
    mutex.unlock(here);
    if (deadline) {
      place.wait_until(inner, *deadline);
    } else {
      place.wait(inner);
    }
    notified = place.notified();
  }
  mutex.lock(here);
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

}  // namespace watchlab::runtime
