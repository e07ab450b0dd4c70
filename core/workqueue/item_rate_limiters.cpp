#include "core/workqueue/item_rate_limiters.hpp"

#include <algorithm>

namespace watchlab::workqueue {

using runtime::Duration;
using runtime::Lock;

ItemRateLimiter::ItemRateLimiter(runtime::Runtime& runtime) : mutex_(runtime, "rate_limiter") {}

void ItemRateLimiter::forget(const std::string& key) {
  const Lock lock(mutex_);
  failures_.erase(key);
}

std::size_t ItemRateLimiter::num_requeues(const std::string& key) const {
  const Lock lock(mutex_);
  const auto known = failures_.find(key);
  return known == failures_.end() ? 0 : known->second;
}

std::size_t ItemRateLimiter::count_failure(const std::string& key) {
  const Lock lock(mutex_);
  return failures_[key]++;
}

Duration ItemExponentialFailureRateLimiter::when(const std::string& key) {
  const std::size_t doublings = std::min<std::size_t>(count_failure(key), 62);
  // Asks what the base may be at most, because the product need not fit.
  if (base_.count() > (max_.count() >> doublings)) {
    return max_;
  }
  return base_ * (Duration::rep{1} << doublings);
}

Duration ItemFastSlowRateLimiter::when(const std::string& key) {
  return count_failure(key) < options_.fast_tries_max ? options_.fast : options_.slow;
}

}  // namespace watchlab::workqueue
