#include "core/port/expiration_cache.hpp"

#include <utility>

#include "core/cache/store.hpp"

namespace watchlab::cache {

ExpirationCache::ExpirationCache(runtime::Runtime& runtime,
                                 std::unique_ptr<ExpirationPolicy> policy, KeyFunction key_function)
    : runtime_(runtime),
      policy_(std::move(policy)),
      key_function_(std::move(key_function)),
      mutex_(runtime, "expiration_cache"),
      entries_(runtime, Entries{}, "expiration_cache") {}

api::Result<void> ExpirationCache::add(const Item& item) {
  const api::Result<std::string> key = key_for_object(key_function_, item);
  if (!key) {
    return key.error();
  }
  const runtime::Lock lock(mutex_);
  entries_.write()[*key] = {
      .key = *key, .object = std::get<api::ObjectPtr>(item), .stored_at = runtime_.now()};
  return {};
}

api::Result<void> ExpirationCache::update(const Item& item) { return add(item); }

api::Result<void> ExpirationCache::remove(const Item& item) {
  const api::Result<std::string> key = key_for(key_function_, item);
  if (!key) {
    return key.error();
  }
  const runtime::Lock lock(mutex_);
  entries_.write().erase(*key);
  return {};
}

api::Result<void> ExpirationCache::replace(std::span<const api::ObjectPtr> items,
                                           const std::string& /*resource_version*/) {
  const runtime::TimePoint now = runtime_.now();
  Entries entries;
  for (const api::ObjectPtr& item : items) {
    const api::Result<std::string> key = key_for_object(key_function_, item);
    if (!key) {
      return key.error();
    }
    entries[*key] = {.key = *key, .object = item, .stored_at = now};
  }
  const runtime::Lock lock(mutex_);
  entries_.write() = std::move(entries);
  return {};
}

api::Result<void> ExpirationCache::resync() { return {}; }

api::ObjectPtr ExpirationCache::get_or_expire(const std::string& key) const {
  const runtime::Lock lock(mutex_);
  Entries& entries = entries_.write();
  const auto found = entries.find(key);
  if (found == entries.end()) {
    return nullptr;
  }
  if (policy_->is_expired(found->second)) {
    entries.erase(found);
    return nullptr;
  }
  return found->second.object;
}

std::vector<std::string> ExpirationCache::keys() const {
  const runtime::Lock lock(mutex_);
  std::vector<std::string> keys;
  for (const auto& [key, entry] : entries_.read()) {
    keys.push_back(key);
  }
  return keys;
}

std::vector<api::ObjectPtr> ExpirationCache::list() const {
  std::vector<api::ObjectPtr> objects;
  // By the key that the entry was stored under: an object's own key may be another one.
  for (const std::string& key : in_visiting_order(runtime_, keys(), "list")) {
    if (api::ObjectPtr object = get_or_expire(key)) {
      objects.push_back(std::move(object));
    }
  }
  return objects;
}

std::vector<std::string> ExpirationCache::list_keys() const {
  return in_visiting_order(runtime_, keys(), "list_keys");
}

api::Result<api::ObjectPtr> ExpirationCache::get(const Item& item) const {
  const api::Result<std::string> key = key_for(key_function_, item);
  if (!key) {
    return key.error();
  }
  return get_or_expire(*key);
}

api::ObjectPtr ExpirationCache::get_by_key(const std::string& key) const {
  return get_or_expire(key);
}

std::unique_ptr<ExpirationCache> make_ttl_store(runtime::Runtime& runtime,
                                                runtime::Duration time_to_live) {
  return std::make_unique<ExpirationCache>(runtime,
                                           std::make_unique<TTLPolicy>(runtime, time_to_live));
}

}  // namespace watchlab::cache
