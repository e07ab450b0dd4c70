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

/// Mirrors client-go Add and Update, which change the store first and then call the function with
/// what it lists, without a lock around both: another change may come in between, and its task
/// then pushes a list that has both changes, or pushes first. `Cache::add` comes to this function,
/// so it pushes as well, and once.
api::Result<void> UndeltaStore::update(const Item& item) { return push_after(Cache::update(item)); }

api::Result<void> UndeltaStore::remove(const Item& item) { return push_after(Cache::remove(item)); }

/// A list with an object that has no key changes nothing, so it pushes nothing either.
api::Result<void> UndeltaStore::replace(std::span<const api::ObjectPtr> items,
                                        const std::string& resource_version) {
  return push_after(Cache::replace(items, resource_version));
}

}  // namespace watchlab::cache
