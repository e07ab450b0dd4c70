#include "core/workqueue/bucket_rate_limiter.hpp"

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

}  // namespace watchlab::workqueue
