#include "core/runtime/thread_wait_group.hpp"

#include "core/runtime/ensure.hpp"

namespace watchlab::runtime {

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
