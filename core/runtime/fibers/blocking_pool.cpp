#include "core/runtime/fibers/blocking_pool.hpp"

#include <utility>

namespace watchlab::runtime {

BlockingPool::~BlockingPool() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    changed_.notify_all();
  }
  for (std::thread& thread : threads_) {
    thread.join();
  }
}

void BlockingPool::run(std::function<void()> work) {
  const std::lock_guard lock(mutex_);
  waiting_.push_back(std::move(work));
  if (idle_ < waiting_.size() && threads_.size() < kThreadsMax) {
    threads_.emplace_back([this] { serve(); });
  }
  changed_.notify_one();
}

void BlockingPool::serve() {
  std::unique_lock lock(mutex_);
  while (true) {
    ++idle_;
    changed_.wait(lock, [this] { return ending_ || !waiting_.empty(); });
    --idle_;
    if (waiting_.empty()) {
      return;
    }
    const std::function<void()> work = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    work();
    lock.lock();
  }
}

}  // namespace watchlab::runtime
