#include "core/workqueue/rate_limiting_queue.hpp"

#include <utility>

namespace watchlab::workqueue {

RateLimitingQueue::RateLimitingQueue(runtime::Runtime& runtime,
                                     std::unique_ptr<RateLimiter> limiter, QueueOptions options)
    : DelayingQueue(runtime, std::move(options)), limiter_(std::move(limiter)) {}

void RateLimitingQueue::add_rate_limited(const std::string& key) {
  const runtime::Duration delay = limiter_->when(key);
  add_after(key, delay);
}

void RateLimitingQueue::forget(const std::string& key) { limiter_->forget(key); }

std::size_t RateLimitingQueue::num_requeues(const std::string& key) const {
  return limiter_->num_requeues(key);
}

}  // namespace watchlab::workqueue
