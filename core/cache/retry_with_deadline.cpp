#include "core/cache/retry_with_deadline.hpp"

#include <utility>

namespace watchlab::cache {

RetryWithDeadline::RetryWithDeadline(runtime::Runtime& runtime, RetryDeadline deadline)
    : runtime_(runtime), deadline_(std::move(deadline)) {}

void RetryWithDeadline::after(const std::optional<api::Error>& error) {
  if (!error || !deadline_.retriable(*error)) {
    return;
  }
  const runtime::TimePoint now = runtime_.now();
  if (last_ && now - *last_ >= deadline_.min_reset) {
    forget();
  }
  if (!first_) {
    first_ = now;
  }
  last_ = now;
}

bool RetryWithDeadline::should_retry() {
  if (deadline_.max_retry <= runtime::Duration::zero()) {
    return false;
  }
  if (first_ && runtime_.now() - *first_ <= deadline_.max_retry) {
    return true;
  }
  forget();
  return false;
}

void RetryWithDeadline::forget() {
  first_.reset();
  last_.reset();
}

}  // namespace watchlab::cache
