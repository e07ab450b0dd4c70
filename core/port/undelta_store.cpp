#include "core/port/undelta_store.hpp"

#include <utility>

namespace watchlab::cache {

UndeltaStore::UndeltaStore(runtime::Runtime& runtime, PushFunction push, KeyFunction key_function)
    : store_(runtime, std::move(key_function)), push_(std::move(push)) {}

api::Result<void> UndeltaStore::push_after(api::Result<void> change) {
  if (change) {
    push_(store_.list());
  }
  return change;
}

api::Result<void> UndeltaStore::add(const Item& item) { return push_after(store_.add(item)); }

api::Result<void> UndeltaStore::update(const Item& item) { return push_after(store_.update(item)); }

api::Result<void> UndeltaStore::remove(const Item& item) { return push_after(store_.remove(item)); }

api::Result<void> UndeltaStore::replace(std::span<const api::ObjectPtr> items,
                                        const std::string& resource_version) {
  return push_after(store_.replace(items, resource_version));
}

api::Result<void> UndeltaStore::resync() { return store_.resync(); }

std::vector<api::ObjectPtr> UndeltaStore::list() const { return store_.list(); }

std::vector<std::string> UndeltaStore::list_keys() const { return store_.list_keys(); }

api::Result<api::ObjectPtr> UndeltaStore::get(const Item& item) const { return store_.get(item); }

api::ObjectPtr UndeltaStore::get_by_key(const std::string& key) const {
  return store_.get_by_key(key);
}

}  // namespace watchlab::cache
