#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/api/object.hpp"
#include "core/cache/key.hpp"
#include "core/cache/store.hpp"
#include "core/runtime/interface.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/runtime.hpp"
#include "core/runtime/shared.hpp"

namespace watchlab::cache {

/// An object, and when it was added to an `ExpirationCache`. Mirrors client-go
/// tools/cache/expiration_cache.go, TimestampedEntry.
struct TimestampedEntry {
  std::string key;
  api::ObjectPtr object;
  runtime::TimePoint stored_at;
};

/// Decides which entries are too old. Called under the cache's lock. Mirrors client-go
/// tools/cache/expiration_cache.go, ExpirationPolicy.
class ExpirationPolicy : public runtime::Interface {
 public:
  [[nodiscard]] virtual bool is_expired(const TimestampedEntry& entry) const = 0;
};

/// Entries expire when they are older than a time to live, not when they are just as old; with a
/// time to live of zero or less they never expire. Mirrors client-go
/// tools/cache/expiration_cache.go, TTLPolicy.
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

/// A store with expiring entries. An expired entry is dropped only when somebody reads it, so
/// `list_keys` may list keys that `get` no longer finds. Writing an object resets its age. Any task
/// may call any function. Mirrors client-go tools/cache/expiration_cache.go, ExpirationCache.
class ExpirationCache final : public Store {
 public:
  ExpirationCache(runtime::Runtime& runtime, std::unique_ptr<ExpirationPolicy> policy,
                  KeyFunction key_function = meta_namespace_key);

  api::Result<void> add(const Item& item) override;
  api::Result<void> update(const Item& item) override;
  api::Result<void> remove(const Item& item) override;
  /// All entries get the same age.
  api::Result<void> replace(std::span<const api::ObjectPtr> items,
                            const std::string& resource_version) override;
  /// Does nothing.
  api::Result<void> resync() override;

  /// Drops expired entries one by one, so the result is not a snapshot.
  [[nodiscard]] std::vector<api::ObjectPtr> list() const override;
  /// Includes expired entries.
  [[nodiscard]] std::vector<std::string> list_keys() const override;
  [[nodiscard]] api::Result<api::ObjectPtr> get(const Item& item) const override;
  [[nodiscard]] api::ObjectPtr get_by_key(const std::string& key) const override;

 private:
  using Entries = std::map<std::string, TimestampedEntry>;

  [[nodiscard]] api::ObjectPtr get_or_expire(const std::string& key) const;
  [[nodiscard]] std::vector<std::string> keys() const;

  runtime::Runtime& runtime_;
  std::unique_ptr<ExpirationPolicy> policy_;
  KeyFunction key_function_;
  mutable runtime::Mutex mutex_;
  /// Mutable because reading drops expired entries.
  mutable runtime::Shared<Entries> entries_;
};

/// A store whose entries live this long. Mirrors client-go tools/cache/expiration_cache.go,
/// NewTTLStore.
[[nodiscard]] std::unique_ptr<ExpirationCache> make_ttl_store(runtime::Runtime& runtime,
                                                              runtime::Duration time_to_live);

}  // namespace watchlab::cache
