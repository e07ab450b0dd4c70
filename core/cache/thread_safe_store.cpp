#include "core/cache/thread_safe_store.hpp"

#include <algorithm>
#include <utility>

#include "core/cache/object_table.hpp"

namespace watchlab::cache {

namespace {

std::unique_ptr<ObjectTable> table_with(const Indexers& indexers) {
  auto table = std::make_unique<ObjectTable>();
  for (const auto& [name, function] : indexers) {
    table->add_index(name, function);
  }
  return table;
}

api::Error no_such_index(const std::string& name) {
  return {.message = "index with name " + name + " does not exist"};
}

}  // namespace

ThreadSafeStore::ThreadSafeStore(runtime::Runtime& runtime, const Indexers& indexers)
    : ThreadSafeStore(runtime, indexers, nullptr) {}

ThreadSafeStore::ThreadSafeStore(runtime::Runtime& runtime, const Indexers& indexers,
                                 std::shared_ptr<StoreMetrics> metrics)
    : runtime_(runtime),
      metrics_(std::move(metrics)),
      mutex_(runtime, "store"),
      table_(runtime, table_with(indexers), "store") {}

ThreadSafeStore::~ThreadSafeStore() = default;

/// The lock must be held.
void ThreadSafeStore::reach(ObjectTable& table, const std::string& version) const {
  table.set_version(version);
  if (metrics_) {
    metrics_->store_reached(version);
  }
}

void ThreadSafeStore::check_table() const {
  // The check walks the whole table. Tests of one behaviour have small ones.
  constexpr std::size_t kRowsMax = 256;
  if (runtime_.checks() && table_.read()->size() <= kRowsMax) {
    table_.read()->check_consistent();
  }
}

void ThreadSafeStore::add(const std::string& key, const api::ObjectPtr& object) {
  update(key, object);
}

void ThreadSafeStore::update(const std::string& key, const api::ObjectPtr& object) {
  const runtime::WriteLock lock(mutex_);
  ObjectTable& table = *table_.write();
  table.put(key, object);
  reach(table, object->metadata.resource_version);
  check_table();
}

void ThreadSafeStore::remove(const std::string& key) {
  const runtime::WriteLock lock(mutex_);
  table_.write()->erase(key);
  check_table();
}

void ThreadSafeStore::remove(const std::string& key, const api::Object& last) {
  const runtime::WriteLock lock(mutex_);
  ObjectTable& table = *table_.write();
  table.erase(key);
  reach(table, last.metadata.resource_version);
  check_table();
}

/// Mirrors client-go 0.35 Transaction. An index function that panics leaves what was done before.
void ThreadSafeStore::change(const std::vector<KeyedObject>& changes,
                             const std::optional<std::string>& version) {
  const runtime::WriteLock lock(mutex_);
  ObjectTable& table = *table_.write();
  for (const auto& [key, object] : changes) {
    if (object != nullptr) {
      table.put(key, object);
    } else {
      table.erase(key);
    }
  }
  if (version) {
    reach(table, *version);
  }
  check_table();
}

void ThreadSafeStore::set_version(const std::string& version) {
  const runtime::WriteLock lock(mutex_);
  reach(*table_.write(), version);
}

/// What `read` gives of the table, under the readers' lock. Where no order is promised the caller
/// asks for one after that, because other tasks may go first there.
template <typename Read>
auto ThreadSafeStore::read_table(Read read) const {
  const runtime::ReadLock lock(mutex_);
  return read(*table_.read());
}

std::string ThreadSafeStore::version() const {
  return read_table([](const ObjectTable& table) { return table.version(); });
}

api::ObjectPtr ThreadSafeStore::get(const std::string& key) const {
  return read_table([&](const ObjectTable& table) { return table.find(key); });
}

std::vector<api::ObjectPtr> ThreadSafeStore::list() const {
  auto objects = read_table([](const ObjectTable& table) { return table.objects(); });
  return in_visiting_order(runtime_, std::move(objects), "list");
}

std::vector<std::string> ThreadSafeStore::list_keys() const {
  auto keys = read_table([](const ObjectTable& table) { return table.keys(); });
  return in_visiting_order(runtime_, std::move(keys), "list_keys");
}

/// Mirrors client-go Replace. The new table is filled beside the old one and takes its place in one
/// step; the old one is freed after the lock is released.
void ThreadSafeStore::replace(const std::vector<KeyedObject>& objects, const std::string& version) {
  std::unique_ptr<ObjectTable> table;  // outlives the lock: freeing many objects takes its time
  const runtime::WriteLock lock(mutex_);
  table = table_with(table_.read()->indexers());
  table->reserve(objects.size());
  for (const auto& [key, object] : objects) {
    table->put(key, object);
  }
  reach(*table, version);
  table_.write().swap(table);
  check_table();
}

/// The objects that have one of the values, each once.
api::Result<std::vector<api::ObjectPtr>> ThreadSafeStore::objects_with_any(
    const std::string& index_name, const ValuesToFind& values_to_find,
    std::string_view what) const {
  std::vector<api::ObjectPtr> objects;
  {
    const runtime::ReadLock lock(mutex_);
    const ObjectTable& table = *table_.read();
    const ValueIndex* index = table.index(index_name);
    if (index == nullptr) {
      return no_such_index(index_name);
    }
    const api::Result<std::vector<std::string>> values = values_to_find(index->function());
    if (!values) {
      return values.error();
    }
    objects = table.objects_with_any(*index, *values);
  }
  return in_visiting_order(runtime_, std::move(objects), what);
}

/// Mirrors client-go Index: the objects that share at least one value with `object`.
api::Result<std::vector<api::ObjectPtr>> ThreadSafeStore::index(
    const std::string& index_name, const api::ObjectPtr& object) const {
  return objects_with_any(
      index_name, [&object](const IndexFunction& values_of) { return values_of(object); }, "index");
}

api::Result<std::vector<std::string>> ThreadSafeStore::index_keys(const std::string& index_name,
                                                                  const std::string& value) const {
  std::vector<std::string> keys;
  {
    const runtime::ReadLock lock(mutex_);
    const ObjectTable& table = *table_.read();
    const ValueIndex* index = table.index(index_name);
    if (index == nullptr) {
      return no_such_index(index_name);
    }
    if (const ValueIndex::Bucket* bucket = index->find(value)) {
      keys = table.keys_of(*bucket);
    }
  }
  std::ranges::sort(keys);
  return keys;
}

api::Result<std::vector<api::ObjectPtr>> ThreadSafeStore::by_index(const std::string& index_name,
                                                                   const std::string& value) const {
  const auto the_value = [&value](const IndexFunction& /*values_of*/) {
    return std::vector<std::string>{value};
  };
  return objects_with_any(index_name, the_value, "by_index");
}

std::vector<std::string> ThreadSafeStore::list_index_function_values(
    const std::string& index_name) const {
  auto values = read_table([&](const ObjectTable& table) {
    const ValueIndex* index = table.index(index_name);
    return index != nullptr ? index->values() : std::vector<std::string>();
  });
  return in_visiting_order(runtime_, std::move(values), "list_index_function_values");
}

Indexers ThreadSafeStore::get_indexers() const {
  return read_table([](const ObjectTable& table) { return table.indexers(); });
}

/// Mirrors client-go AddIndexers. A name that is taken refuses all of them, before the first is
/// added.
api::Result<void> ThreadSafeStore::add_indexers(const Indexers& indexers) {
  const runtime::WriteLock lock(mutex_);
  ObjectTable& table = *table_.write();
  for (const auto& [name, function] : indexers) {
    if (table.index(name) != nullptr) {
      return api::Error{.message = "an index with name " + name + " exists already"};
    }
  }
  for (const auto& [name, function] : indexers) {
    table.add_index(name, function);
  }
  check_table();
  return {};
}

}  // namespace watchlab::cache
