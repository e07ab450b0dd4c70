#include "core/port/undelta_store.hpp"

#include <utility>

namespace watchlab::cache {

UndeltaStore::UndeltaStore(runtime::Runtime& runtime, PushFunction push, KeyFunction key_function)
    : Cache(runtime, std::move(key_function)), push_(std::move(push)) {}

api::Result<void> UndeltaStore::push_after(api::Result<void> change) {
  if (change) {
    push_(list());
  }
  return change;
}

/// `Cache::add` comes to `update`, which pushes.
api::Result<void> UndeltaStore::update(const Item& item) { return push_after(Cache::update(item)); }

api::Result<void> UndeltaStore::remove(const Item& item) { return push_after(Cache::remove(item)); }

api::Result<void> UndeltaStore::replace(std::span<const api::ObjectPtr> items,
                                        const std::string& resource_version) {
  return push_after(Cache::replace(items, resource_version));
}

}  // namespace watchlab::cache
