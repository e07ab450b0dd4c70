#include "core/runtime/fibers/waiting.hpp"

#include <thread>

#include "core/runtime/ensure.hpp"
#include "core/runtime/fibers/scheduler.hpp"

namespace watchlab::runtime {
namespace {

void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

void SpinLock::wait() const {
  constexpr int kLooks = 100;
  for (int looks = 0; held_.load(std::memory_order_relaxed); ++looks) {
    if (looks < kLooks) {
      relax();
    } else {
      std::this_thread::yield();
    }
  }
}

Sleeper::Sleeper(Location here, std::size_t arms)
    : task_(FiberScheduler::current()), alone_(arms <= 1) {
  if (task_ != nullptr) {
    task_->waits_at = here;
  } else {
    ensure(!FiberScheduler::on_worker(), "a handler of the event loop waits", here);
  }
}

void Sleeper::wake() {
  if (task_ != nullptr) {
    task_->scheduler->ready(*task_);
  } else {
    // Not release alone: the library looks next whether somebody waits, and a look that overtakes
    // the store misses a thread that has just found 0.
    woken_.store(1, std::memory_order_seq_cst);
    // The thread may have left by now; this uses the address only.
    woken_.notify_one();
  }
}

void Sleeper::sleep(SpinLock* const* held, std::size_t count) {
  if (task_ != nullptr) {
    FiberScheduler::park(held, count);
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    held[i]->unlock();
  }
  woken_.wait(0, std::memory_order_acquire);
}

std::size_t wake_all(WaitQueue queue) {
  std::size_t count = 0;
  while (Waiter* const waiter = queue.pop()) {
    waiter->sleeper->wake();
    ++count;
  }
  return count;
}

}  // namespace watchlab::runtime
