#include "core/workqueue/rate_limiters.hpp"

#include <algorithm>

#include "core/runtime/ensure.hpp"

namespace watchlab::workqueue {
namespace {

runtime::Duration per_token(const BucketOptions& options) {
  runtime::ensure(options.per_second > 0, "a bucket needs tokens that flow in");
  runtime::ensure(options.burst > 0, "a bucket needs room for a token");
  return runtime::Duration(std::chrono::seconds(1)) / options.per_second;
}

}  // namespace

BucketRateLimiter::BucketRateLimiter(runtime::Runtime& runtime, BucketOptions options)
    : runtime_(runtime),
      per_token_(per_token(options)),
      per_burst_(per_token_ * options.burst),
      mutex_(runtime, "bucket_rate_limiter"),
      full_at_(runtime.now()) {}

runtime::Duration BucketRateLimiter::when(const std::string&) {
  const runtime::Lock lock(mutex_);
  const runtime::TimePoint now = runtime_.now();
  full_at_ = std::max(full_at_, now) + per_token_;
  return std::max(full_at_ - now - per_burst_, runtime::Duration::zero());
}

void BucketRateLimiter::forget(const std::string&) {}

std::size_t BucketRateLimiter::num_requeues(const std::string&) const { return 0; }

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
  const std::size_t doublings = std::min<std::size_t>(count_failure(key), 63);
  // Asks what the base may be at most, because the product need not fit.
  if (base_.count() > (max_.count() >> doublings)) {
    return max_;
  }
  return base_ * (Duration::rep{1} << doublings);
}

Duration ItemFastSlowRateLimiter::when(const std::string& key) {
  return count_failure(key) < options_.fast_tries_max ? options_.fast : options_.slow;
}

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
