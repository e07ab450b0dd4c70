#include "core/cache/cache.hpp"

#include <utility>

namespace watchlab::cache {

Cache::Cache(runtime::Runtime& runtime, KeyFunction key_function, const Indexers& indexers)
    : key_function_(std::move(key_function)), storage_(runtime, indexers) {}

api::Result<void> Cache::add(const Item& item) { return update(item); }

api::Result<void> Cache::update(const Item& item) {
  const api::Result<std::string> key = key_for_object(key_function_, item);
  if (!key) {
    return key.error();
  }
  storage_.update(*key, std::get<api::ObjectPtr>(item));
  return {};
}

api::Result<void> Cache::remove(const Item& item) {
  const api::Result<std::string> key = key_for(key_function_, item);
  if (!key) {
    return key.error();
  }
  storage_.remove(*key);
  return {};
}

api::Result<void> Cache::replace(std::span<const api::ObjectPtr> items,
                                 const std::string& /*resource_version*/) {
  std::vector<ThreadSafeStore::KeyedObject> objects;
  objects.reserve(items.size());
  for (const api::ObjectPtr& item : items) {
    api::Result<std::string> key = key_for_object(key_function_, item);
    if (!key) {
      return key.error();
    }
    objects.emplace_back(std::move(key).value(), item);
  }
  storage_.replace(objects);
  return {};
}

api::Result<void> Cache::resync() { return {}; }

std::vector<api::ObjectPtr> Cache::list() const { return storage_.list(); }

std::vector<std::string> Cache::list_keys() const { return storage_.list_keys(); }

api::Result<api::ObjectPtr> Cache::get(const Item& item) const {
  const api::Result<std::string> key = key_for(key_function_, item);
  if (!key) {
    return key.error();
  }
  return storage_.get(*key);
}

api::ObjectPtr Cache::get_by_key(const std::string& key) const { return storage_.get(key); }

api::Result<std::vector<api::ObjectPtr>> Cache::index(const std::string& index_name,
                                                      const api::ObjectPtr& object) const {
  return storage_.index(index_name, object);
}

api::Result<std::vector<std::string>> Cache::index_keys(const std::string& index_name,
                                                        const std::string& value) const {
  return storage_.index_keys(index_name, value);
}

api::Result<std::vector<api::ObjectPtr>> Cache::by_index(const std::string& index_name,
                                                         const std::string& value) const {
  return storage_.by_index(index_name, value);
}

std::vector<std::string> Cache::list_index_function_values(const std::string& index_name) const {
  return storage_.list_index_function_values(index_name);
}

Indexers Cache::get_indexers() const { return storage_.get_indexers(); }

api::Result<void> Cache::add_indexers(const Indexers& indexers) {
  return storage_.add_indexers(indexers);
}

}  // namespace watchlab::cache
