#include "core/cache/cache.hpp"

#include <utility>

namespace watchlab::cache {

Cache::Cache(runtime::Runtime& runtime, KeyFunction key_function, const Indexers& indexers,
             CacheOptions options)
    : key_function_(std::move(key_function)),
      options_(std::move(options)),
      storage_(runtime, indexers, options_.metrics) {}

api::Result<api::ObjectPtr> Cache::transformed(const api::ObjectPtr& object) const {
  api::Result<api::ObjectPtr> changed =
      options_.transformer ? options_.transformer(object) : api::Result<api::ObjectPtr>(object);
  if (!changed) {
    return api::Error{.kind = changed.error().kind,
                      .message = "transforming: " + changed.error().message};
  }
  if (*changed == nullptr) {
    return api::Error{.kind = api::ErrorKind::Key, .message = "transforming: it made no object"};
  }
  return changed;
}

api::Result<void> Cache::add(const Item& item) { return update(item); }

api::Result<void> Cache::update(const Item& item) {
  const api::Result<std::string> key = key_for_object(key_function_, item);
  if (!key) {
    return key.error();
  }
  const api::Result<api::ObjectPtr> object = transformed(std::get<api::ObjectPtr>(item));
  if (!object) {
    return object.error();
  }
  storage_.update(*key, *object);
  return {};
}

api::Result<void> Cache::remove(const Item& item) {
  const api::Result<std::string> key = key_for(key_function_, item);
  if (!key) {
    return key.error();
  }
  if (is_tombstone(item)) {
    storage_.remove(*key);
  } else {
    storage_.remove(*key, *object_of(item));
  }
  return {};
}

api::Result<void> Cache::replace(std::span<const api::ObjectPtr> items,
                                 const std::string& resource_version) {
  std::vector<ThreadSafeStore::KeyedObject> objects;
  objects.reserve(items.size());
  for (const api::ObjectPtr& item : items) {
    api::Result<std::string> key = key_for_object(key_function_, item);
    if (!key) {
      return key.error();
    }
    api::Result<api::ObjectPtr> object = transformed(item);
    if (!object) {
      return object.error();
    }
    objects.emplace_back(std::move(key).value(), std::move(object).value());
  }
  storage_.replace(objects, resource_version);
  return {};
}

api::Result<void> Cache::resync() { return {}; }

void Cache::bookmark(const std::string& resource_version) {
  storage_.set_version(resource_version);
}

std::string Cache::last_store_sync_resource_version() const {
  return options_.keeps_version ? storage_.version() : "";
}

/// Mirrors client-go 0.35 Transaction. The revision becomes that of the last item that has a key; a
/// tombstone has none to give.
std::optional<TransactionError> Cache::transaction(std::span<const Transaction> changes) {
  TransactionError failed{.total = changes.size()};
  std::vector<ThreadSafeStore::KeyedObject> keyed;
  std::optional<std::string> version;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const Transaction& change = changes[i];
    const bool removes = change.type == Transaction::Type::Delete;
    api::Result<std::string> key =
        removes ? key_for(key_function_, change.item) : key_for_object(key_function_, change.item);
    if (!key) {
      failed.errors.push_back(key.error());
      continue;
    }
    failed.successful.push_back(i);
    version.reset();
    if (!is_tombstone(change.item)) {
      version = object_of(change.item)->metadata.resource_version;
    }
    keyed.emplace_back(std::move(key).value(), removes ? nullptr : object_of(change.item));
  }
  if (!keyed.empty()) {
    storage_.change(keyed, version);
  }
  return failed.errors.empty() ? std::nullopt : std::optional(std::move(failed));
}

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
