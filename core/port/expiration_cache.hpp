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

/// An object and when it was put into an `ExpirationCache`. Mirrors client-go
/// tools/cache/expiration_cache.go, TimestampedEntry.
struct TimestampedEntry {
  std::string key;
  api::ObjectPtr object;
  runtime::TimePoint stored_at;
};

/// Says which entries are too old. Called under the cache's lock. Mirrors client-go
/// tools/cache/expiration_cache.go, ExpirationPolicy.
class ExpirationPolicy : public runtime::Interface {
 public:
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

/// A store that forgets: an entry that its policy calls expired is dropped when a caller comes to
/// read it, and not before. So `list_keys` still names what `get` will no longer find. Writing an
/// object makes it young again. Any task may call any function. Mirrors client-go
/// tools/cache/expiration_cache.go, ExpirationCache.
class ExpirationCache final : public Store {
 public:
  ExpirationCache(runtime::Runtime& runtime, std::unique_ptr<ExpirationPolicy> policy,
                  KeyFunction key_function = meta_namespace_key);

  api::Result<void> add(const Item& item) override;
  api::Result<void> update(const Item& item) override;
  api::Result<void> remove(const Item& item) override;
  /// All entries get one and the same age.
  api::Result<void> replace(std::span<const api::ObjectPtr> items,
                            const std::string& resource_version) override;
  /// Does nothing.
  api::Result<void> resync() override;

  /// Drops what is expired, one entry after the other: not one moment's state.
  [[nodiscard]] std::vector<api::ObjectPtr> list() const override;
  /// Names expired entries too.
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
  /// Mutable because reading drops what is expired.
  mutable runtime::Shared<Entries> entries_;
};

/// A store whose entries live so long. Mirrors client-go tools/cache/expiration_cache.go,
/// NewTTLStore.
[[nodiscard]] std::unique_ptr<ExpirationCache> make_ttl_store(runtime::Runtime& runtime,
                                                              runtime::Duration time_to_live);

}  // namespace watchlab::cache
