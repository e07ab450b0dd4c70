#include "core/workqueue/combined_rate_limiters.hpp"

#include <algorithm>

#include "core/workqueue/bucket_rate_limiter.hpp"
#include "core/workqueue/item_rate_limiters.hpp"

namespace watchlab::workqueue {

using runtime::Duration;
using namespace std::chrono_literals;

Duration MaxOfRateLimiter::when(const std::string& key) {
  Duration longest{};
  for (const std::unique_ptr<RateLimiter>& limiter : limiters_) {
    longest = std::max(longest, limiter->when(key));
  }
  return longest;
}

void MaxOfRateLimiter::forget(const std::string& key) {
  for (const std::unique_ptr<RateLimiter>& limiter : limiters_) {
    limiter->forget(key);
  }
}

std::size_t MaxOfRateLimiter::num_requeues(const std::string& key) const {
  std::size_t most = 0;
  for (const std::unique_ptr<RateLimiter>& limiter : limiters_) {
    most = std::max(most, limiter->num_requeues(key));
  }
  return most;
}

Duration WithMaxWaitRateLimiter::when(const std::string& key) {
  return std::min(limiter_->when(key), max_);
}

void WithMaxWaitRateLimiter::forget(const std::string& key) { limiter_->forget(key); }

std::size_t WithMaxWaitRateLimiter::num_requeues(const std::string& key) const {
  return limiter_->num_requeues(key);
}

std::unique_ptr<RateLimiter> default_controller_rate_limiter(runtime::Runtime& runtime) {
  std::vector<std::unique_ptr<RateLimiter>> limiters;
  limiters.push_back(std::make_unique<ItemExponentialFailureRateLimiter>(runtime, 5ms, 1000s));
  limiters.push_back(
      std::make_unique<BucketRateLimiter>(runtime, BucketOptions{.per_second = 10, .burst = 100}));
  return std::make_unique<MaxOfRateLimiter>(std::move(limiters));
}

std::unique_ptr<RateLimiter> default_item_based_rate_limiter(runtime::Runtime& runtime) {
  return std::make_unique<ItemExponentialFailureRateLimiter>(runtime, 1ms, 1000s);
}

}  // namespace watchlab::workqueue
