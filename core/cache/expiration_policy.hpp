#pragma once

#include <string>

#include "core/api/object.hpp"
#include "core/runtime/runtime.hpp"

namespace watchlab::cache {

/// An object and when it was put into an `ExpirationCache`. Mirrors client-go
/// tools/cache/expiration_cache.go, TimestampedEntry.
struct TimestampedEntry {
  std::string key;
  api::ObjectPtr object;
  runtime::TimePoint stored_at;
};

/// Says which entries are too old. Called under the cache's lock. Mirrors client-go
/// tools/cache/expiration_cache.go, ExpirationPolicy.
class ExpirationPolicy {
 public:
  ExpirationPolicy() = default;
  ExpirationPolicy(const ExpirationPolicy&) = delete;
  ExpirationPolicy& operator=(const ExpirationPolicy&) = delete;
  virtual ~ExpirationPolicy() = default;

  [[nodiscard]] virtual bool is_expired(const TimestampedEntry& entry) const = 0;
};

/// Entries expire when they are older than a time to live, and not when they are just as old; with
/// a time to live of zero or less they never do. Mirrors client-go tools/cache/expiration_cache.go,
/// TTLPolicy.
class TTLPolicy final : public ExpirationPolicy {
 public:
  TTLPolicy(runtime::Runtime& runtime, runtime::Duration time_to_live)
      : runtime_(runtime), time_to_live_(time_to_live) {}

  [[nodiscard]] bool is_expired(const TimestampedEntry& entry) const override {
    return time_to_live_ > runtime::Duration::zero() &&
           runtime_.now() - entry.stored_at > time_to_live_;
  }

 private:
  runtime::Runtime& runtime_;
  runtime::Duration time_to_live_;
};

}  // namespace watchlab::cache
