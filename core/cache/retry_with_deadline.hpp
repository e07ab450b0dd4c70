#pragma once

#include <functional>
#include <optional>

#include "core/api/error.hpp"
#include "core/runtime/runtime.hpp"

namespace watchlab::cache {

/// When a series of errors of one sort may still be answered by a retry in place.
struct RetryDeadline {
  /// A series may last so long, from its first error. Zero or less: never retry.
  runtime::Duration max_retry{};
  /// So long without such an error and the next one opens a new series.
  runtime::Duration min_reset{};
  /// The sort of error that counts.
  std::function<bool(const api::Error&)> retriable;
};

/// Decides whether an error is to be retried in place or to be given up on. Not to be shared
/// between tasks. Mirrors client-go tools/cache/retry_with_deadline.go, RetryWithDeadline.
class RetryWithDeadline {
 public:
  RetryWithDeadline(runtime::Runtime& runtime, RetryDeadline deadline);

  /// Takes note of how an attempt has ended. Success (nothing) and errors of another sort change
  /// nothing: only time ends a series.
  void after(const std::optional<api::Error>& error);
  /// Whether the present series is still within its time. A no ends the series.
  [[nodiscard]] bool should_retry();

 private:
  void forget();

  runtime::Runtime& runtime_;
  RetryDeadline deadline_;
  std::optional<runtime::TimePoint> first_;
  std::optional<runtime::TimePoint> last_;
};

}  // namespace watchlab::cache
